import { at } from '../../../shared/assert.ts';
import { refundedAt, type Span } from './chain.ts';

export type TrialCohort = {
  started: number;
  converted: number;
  pending: number;
  abandoned: number;
};

/** `spans` begin with the trial; a product change within it continues it. */
export function trialOutcome(
  spans: readonly Span[],
  willRenew: boolean,
  nowMs: number,
): keyof Omit<TrialCohort, 'started'> {
  const following = spans.findIndex(
    ({ kind, from }, index) => kind !== 'trial' || (index > 0 && spans[index - 1]?.to !== from),
  );
  const last = at(spans, (following === -1 ? spans.length : following) - 1);
  const next = following === -1 ? null : spans.slice(following).find(({ kind }) => kind !== 'free');
  if (next) {
    return next.kind === 'paid' && refundedAt(next.sold) === null ? 'converted' : 'abandoned';
  }
  return last.to > nowMs && willRenew ? 'pending' : 'abandoned';
}
