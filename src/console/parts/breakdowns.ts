import { funnels as t } from '../texts/funnels.ts';

/** What figures can be broken down by, for a choice; the empty one is none. */
export const BREAKDOWNS = [
  ['', t.none],
  ['platform', t.platform],
  ['appVersion', t.version],
  ['country', t.country],
] as const;
