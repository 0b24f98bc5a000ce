import { useSetting } from '../state/address.ts';
import { texts } from '../texts/index.ts';
import { Choice } from './form.tsx';

const t = texts.window;
const LENGTHS = [7, 28, 90, 365].map((days) => [String(days), t.days(days)] as const);
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
        label={t.label}
        name="days"
        hideLabel
        options={options}
        value={value}
        onChange={choose}
      />
    ),
  };
}
