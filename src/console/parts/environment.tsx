import { useSetting } from '../state/address.ts';
import { texts } from '../texts/index.ts';
import { Choice } from './form.tsx';

const t = texts.environments;
const ENVIRONMENTS = [
  ['production', t.production],
  ['development', t.development],
  ['all', t.all],
] as const;

export type Environment = (typeof ENVIRONMENTS)[number][0];

export const environmentOf = (text: string): Environment =>
  ENVIRONMENTS.find(([value]) => value === text)?.[0] ?? 'production';

/** Which keys' events a page counts, kept in its address. */
export function useEnvironment() {
  const [chosen, choose] = useSetting('environment', 'production');
  const environment = environmentOf(chosen);
  return {
    environment,
    choice: (
      <Choice
        label={t.label}
        name="environment"
        hideLabel
        options={ENVIRONMENTS}
        value={environment}
        onChange={choose}
      />
    ),
  };
}
