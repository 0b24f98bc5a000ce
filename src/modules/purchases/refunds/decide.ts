import type { Transaction } from '../../../shared/purchase.ts';
import { STORE_FACTS, type Store } from '../../../shared/stores.ts';
import type * as refunds from '../model/refunds.ts';

const WHOLE = 100_000;

/** For one purchase of a quantity; null where the store gets no answer. */
export function usedMillipercent(
  rule: refunds.RefundProduct | undefined,
  { quantity, uses }: { quantity: number; uses: number },
): number | null {
  switch (rule?.used) {
    case 'none':
      return 0;
    case 'part':
      return WHOLE / 2;
    case 'full':
      return WHOLE;
    case 'events':
      return Math.min(WHOLE, Math.round((uses * WHOLE) / ((rule.uses ?? 1) * quantity)));
    default:
      return null;
  }
}

export type Terms = { answers: refunds.AnswerMode; isConsented: boolean };

const STRICTNESS: readonly refunds.AnswerMode[] = ['off', 'neutral', 'decline', 'grant'];

/** The most reserved answer of several people of one purchase. */
export function termsFor(
  { answers, customersConsent }: Pick<refunds.RefundSettings, 'answers' | 'customersConsent'>,
  people: readonly Pick<refunds.RefundPerson, 'answers' | 'customersConsent'>[],
): Terms {
  const named = people.flatMap((person) => person.answers ?? []);
  const consents = people.flatMap((person) => person.customersConsent ?? []);
  return {
    answers: STRICTNESS.find((mode) => named.includes(mode)) ?? answers,
    isConsented: consents.length > 0 ? consents.every(Boolean) : customersConsent,
  };
}

export type RefundedPurchase = {
  store: Store;
  type: Transaction['type'];
  isShared: boolean;
  isAssigned: boolean;
};

function preferenceOf(
  answers: refunds.AnswerMode,
  used: number | null,
  store: Store,
): refunds.RefundAnswer['preference'] {
  if (answers === 'decline') return 'decline';
  if (answers !== 'grant' || used === WHOLE) return null;
  if (used === null || used === 0) return 'grant_full';
  return STORE_FACTS[store].refundsParts ? 'grant_prorated' : null;
}

export type Decision =
  | { kind: 'skip'; why: refunds.ReasonNot }
  | { kind: 'answer'; answer: refunds.RefundAnswer };

export function decide(
  { store, type, isShared, isAssigned }: RefundedPurchase,
  { answers, isConsented }: Terms,
  { used, sampleContentProvided }: { used: number | null; sampleContentProvided: boolean },
): Decision {
  if (answers === 'off') return { kind: 'skip', why: 'off' };
  if (!isConsented) return { kind: 'skip', why: 'no_consent' };
  if (isShared) return { kind: 'skip', why: 'family_shared' };
  if (isAssigned) return { kind: 'skip', why: 'assigned' };
  // The store prorates what renews by time, and refuses a share.
  const share = type === 'subscription' || type === 'unknown' ? null : used;
  return {
    kind: 'answer',
    answer: {
      delivery: 'delivered',
      sampleContentProvided,
      usedMillipercent: share,
      preference: preferenceOf(answers, share, store),
    },
  };
}
