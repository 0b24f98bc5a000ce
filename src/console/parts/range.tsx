import { useSetting } from '../state/address.ts';
import { Choice } from './form.tsx';

const LENGTHS = [
  ['7', '7 days'],
  ['28', '28 days'],
  ['90', '90 days'],
  ['365', '365 days'],
] as const;
const DEFAULT_DAYS = '28';

/** How many days a page looks back, kept in its address. */
export function useDays(max = 365): { days: number; choice: preact.JSX.Element } {
  const [chosen, choose] = useSetting('days', DEFAULT_DAYS);
  const options = LENGTHS.filter(([value]) => Number(value) <= max);
  const value = options.find(([length]) => length === chosen)?.[0] ?? DEFAULT_DAYS;
  return {
    days: Number(value),
    choice: (
      <Choice
        label="Window"
        name="days"
        hideLabel
        options={options}
        value={value}
        onChange={choose}
      />
    ),
  };
}
