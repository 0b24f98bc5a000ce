import { PRODUCTION } from '../../../shared/environment.ts';
import { type PurchaseNews, purchaseLine } from '../../messages/index.ts';
import type { ChainKey } from '../model/chain.ts';
import type { ChangeDetails } from './change-details-queries.ts';
import type { PurchaseChange } from './changes.ts';

const WHOLE_MILLIUNITS = 100_000;

function kindOf({ type, transaction }: PurchaseChange): PurchaseNews['kind'] | null {
  switch (type) {
    case 'subscription.started.v1':
    case 'subscription.trial_started.v1':
      // The first of its chain: what is read of an older one begins nothing.
      return transaction.transactionId === transaction.chainId ? 'subscriber' : null;
    case 'purchase.refunded.v1':
      return 'refund';
    case 'subscription.billing_issue.v1':
      return 'billing_problem';
    default:
      return null;
  }
}

/**
 * The line that people are told at once: of a new subscription, a refund or a renewal that the store
 * could not charge, in production; families share one. Null for any other change.
 */
export function messageOf(
  { appId, environment }: Pick<ChainKey, 'appId' | 'environment'>,
  change: PurchaseChange,
  details: Pick<ChangeDetails, 'priceMilliunits' | 'currency' | 'refundedMilliunits'>,
): { appId: string; kind: PurchaseNews['kind']; text: string } | null {
  const kind = kindOf(change);
  const { ownership, productId, freeTrial: isTrial } = change.transaction;
  if (kind === null || environment !== PRODUCTION || ownership !== 'purchased') return null;
  const { priceMilliunits: price, currency, refundedMilliunits } = details;
  const share = kind === 'refund' ? (refundedMilliunits ?? WHOLE_MILLIUNITS) : WHOLE_MILLIUNITS;
  const priceMilliunits = price === null ? null : (price * share) / WHOLE_MILLIUNITS;
  const text = purchaseLine({ kind, productId, priceMilliunits, currency, isTrial });
  return { appId, kind, text };
}
