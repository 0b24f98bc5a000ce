import { isReal } from '../../../shared/environment.ts';
import { type PurchaseNews, purchaseLine } from '../../messages/index.ts';
import type { ChainKey } from '../model/chain.ts';
import type { ChangeDetails } from './change-details-queries.ts';
import type { PurchaseChange } from './changes.ts';
import { isFirstOfChain, periodKind } from './period.ts';

const WHOLE_MILLIUNITS = 100_000;

function toNews({ type, transaction }: PurchaseChange): PurchaseNews['kind'] | null {
  switch (type) {
    case 'subscription.started.v1':
    case 'subscription.trial_started.v1':
      return isFirstOfChain(transaction) ? 'subscriber' : null;
    case 'purchase.refunded.v1':
      return 'refund';
    case 'subscription.billing_issue.v1':
      return 'billing_problem';
    default:
      return null;
  }
}

/** Production only, without family members. */
export function toPurchaseMessage(
  { appId, environment }: Pick<ChainKey, 'appId' | 'environment'>,
  change: PurchaseChange,
  details: Pick<ChangeDetails, 'priceMilliunits' | 'currency' | 'refundedMilliunits'>,
): { appId: string; kind: PurchaseNews['kind']; text: string } | null {
  const kind = toNews(change);
  const { ownership, productId } = change.transaction;
  if (kind === null || !isReal(environment) || ownership !== 'purchased') return null;
  const { priceMilliunits: price, currency, refundedMilliunits } = details;
  const share = kind === 'refund' ? (refundedMilliunits ?? WHOLE_MILLIUNITS) : WHOLE_MILLIUNITS;
  const priceMilliunits = price === null ? null : (price * share) / WHOLE_MILLIUNITS;
  const isTrial = periodKind(change.transaction) === 'trial';
  const text = purchaseLine({ kind, productId, priceMilliunits, currency, isTrial });
  return { appId, kind, text };
}
