import { controls as t } from '../texts/controls.ts';

/** What figures can be broken down by, for a choice; the empty one is none. */
export const BREAKDOWNS = [
  ['', t.chips.noBreakdown],
  ['platform', t.fields.platform],
  ['appVersion', t.fields.appVersion],
  ['country', t.fields.country],
] as const;
