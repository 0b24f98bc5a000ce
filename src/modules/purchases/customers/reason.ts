import { isReal } from '../../../shared/environment.ts';
import { periodKind } from '../ledger/period.ts';
import type { Entitlement } from '../model/wire.ts';
import type { Customer, CustomerTransaction } from './model.ts';

export type ReasonFacts = {
  entitlement: Entitlement;
  transaction: Pick<CustomerTransaction, 'freeTrial' | 'purchasedAt'> | null;
  granted: string | null;
  /** The app's settings ignore sandbox purchases of this person. */
  hidesSandbox: boolean;
  now: Date;
};

const toDay = (iso: string | null): string => iso?.slice(0, 10) ?? '';

export function explainEntitlement(facts: ReasonFacts): Customer['reason'] {
  return facts.entitlement.entitled ? entitledBecause(facts) : refusedBecause(facts);
}

function entitledBecause({
  entitlement,
  transaction,
  granted,
  now,
}: ReasonFacts): Customer['reason'] {
  const { productId, expiresAt, ownership, willRenew, status, environment } = entitlement;
  const until = expiresAt === null ? '' : ` until ${toDay(expiresAt)}`;
  if (ownership === null) {
    const end = until || ' until it is revoked';
    return {
      code: 'granted',
      sentence: `${productId ?? granted} was granted without payment${end}.`,
    };
  }
  if (!isReal(environment)) {
    const sentence = `Bought ${productId} in the sandbox, where nobody pays,${until || ' for good'}.`;
    return { code: 'sandbox', sentence };
  }
  if (status === 'billing_grace') {
    const grace = toDay(entitlement.graceExpiresAt);
    const sentence = `The payment for ${productId} failed on ${toDay(expiresAt)}; the store's grace period runs until ${grace}.`;
    return { code: 'grace', sentence };
  }
  if (ownership === 'family_shared') {
    return { code: 'family_shared', sentence: `The family shares ${productId}${until}.` };
  }
  if (expiresAt === null) {
    return { code: 'lifetime', sentence: `Bought ${productId}, which does not end.` };
  }
  if (new Date(expiresAt) <= now) {
    const sentence = `${productId} ended on ${toDay(expiresAt)} and the store has not confirmed its renewal yet.`;
    return { code: 'leeway', sentence };
  }
  const next = willRenew ? 'it renews' : 'nothing says that it renews';
  if (transaction && periodKind(transaction) === 'trial') {
    return { code: 'trial', sentence: `In the free trial of ${productId}${until}; ${next}.` };
  }
  return { code: 'paid', sentence: `Paid for ${productId}${until}; ${next}.` };
}

function refusedBecause({ entitlement, granted, hidesSandbox }: ReasonFacts): Customer['reason'] {
  const { productId, expiresAt, ownership, status } = entitlement;
  if (status === 'none') {
    return hidesSandbox
      ? {
          code: 'sandbox_not_allowed',
          sentence: 'Bought in the sandbox only, which the settings of the app do not let entitle.',
        }
      : {
          code: 'nothing_bought',
          sentence: 'Nothing is known that this person bought or was granted.',
        };
  }
  if (ownership === null) {
    const how = status === 'revoked' ? 'was revoked' : `ended on ${toDay(expiresAt)}`;
    return { code: 'grant_ended', sentence: `The grant of ${productId ?? granted} ${how}.` };
  }
  if (status === 'billing_retry') {
    const sentence = `The payment for ${productId} failed; the period ended on ${toDay(expiresAt)}, and the store keeps trying.`;
    return { code: 'billing_retry', sentence };
  }
  if (status === 'revoked') {
    const how =
      ownership === 'family_shared' ? 'is no longer shared by the family' : 'was refunded';
    return { code: 'refunded', sentence: `${productId} ${how}.` };
  }
  return { code: 'expired', sentence: `${productId} ended on ${toDay(expiresAt)}.` };
}
