import type { Dimension } from './filter-rules.ts';

export { valueLabel } from './sent-values.ts';

export const ENVIRONMENTS = ['production', 'development', 'all'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const environmentOf = (text?: string): Environment =>
  ENVIRONMENTS.find((one) => one === text) ?? 'production';

export type Sent = {
  appId: string;
  /** None for the most frequent ones. */
  names: readonly string[];
  days: number;
  environment: Environment;
  /** Of a person's first event; true when left out. */
  takesFirst?: boolean;
  /** One event and one value of a field, as routes of lists take them. */
  isPlain?: boolean;
  /** Fields with a condition, where each takes one. */
  taken?: readonly Dimension[];
};

export const sentBy = (
  appId: string,
  options: { names?: readonly string[]; days: number; environment?: Environment },
): Sent => ({ names: [], environment: 'production', ...options, appId });
