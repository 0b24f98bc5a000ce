import type { Renewal, SignedRenewal } from '../../../shared/purchase.ts';
import type { OwnedLine, SubscriptionAnswer } from './answer.ts';

export function toRenewal(lines: readonly OwnedLine[], answer: SubscriptionAnswer): SignedRenewal {
  const { subscription, chainId, answeredAt } = answer;
  const { state, environment, startedAt } = subscription;
  const ordered = lines.toSorted((a, b) => Number(a.isAddOn) - Number(b.isAddOn));
  const renewing = ordered.find(({ willRenew }) => willRenew);
  const end = Math.max(...lines.map(({ expiresAt }) => expiresAt));
  const snapshot: Renewal = {
    environment,
    chainId,
    willRenew: renewing !== undefined && state !== 'expired',
    inBillingRetry: state === 'hold',
    graceExpiresAt: state === 'grace' ? end : null,
    renewsAt: renewing && state === 'active' ? renewing.expiresAt : null,
    signedAt: answeredAt,
  };
  const { signedAt: _, ...content } = snapshot;
  const contentHash = new Bun.CryptoHasher('sha256').update(JSON.stringify(content)).digest('hex');
  return {
    snapshot,
    details: {
      ...{ offer: null, offerId: null, discount: null, offerPeriod: null, text: '' },
      contentHash,
      productId: ordered[0]?.productId ?? null,
      autoRenewProductId: renewing?.productId ?? null,
      expiryReason: null,
      subscriptionStartedAt: startedAt,
      renewalPriceMilliunits: renewing?.priceMilliunits ?? null,
      currency: renewing?.currency ?? null,
      priceIncrease: null,
    },
  };
}
