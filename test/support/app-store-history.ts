import type { ChainHistory } from '../../src/modules/purchases/overview/history.ts';
import {
  toRenewal,
  toRenewalDetails,
  toTransaction,
  toTransactionDetails,
} from '../../src/providers/store-server/map.ts';
import type { Told } from '../simulators/store-server/subscription.ts';

/** As the tables keep news, in any order. */
export function appStoreHistory(told: readonly Told[]): ChainHistory {
  const inOrder = told.toSorted((a, b) => a.signedDate - b.signedDate);
  const transactions = new Map<string, ChainHistory['transactions'][number]>();
  for (const { transaction } of inOrder) {
    const { transactionId, productId, ...bought } = toTransaction(transaction);
    const details = toTransactionDetails(transaction, '');
    const { purchasedAt, expiresAt, revokedAt, upgraded, freeTrial, ownership, type } = bought;
    const firstEnd = transactions.get(transactionId)?.firstExpiresAt ?? expiresAt;
    transactions.set(transactionId, {
      ...{ transactionId, productId, purchasedAt, expiresAt, revokedAt, upgraded, freeTrial },
      firstExpiresAt: firstEnd === null ? null : Math.min(firstEnd, expiresAt ?? firstEnd),
      ...{ autoRenewable: type === 'subscription', familyShared: ownership === 'family_shared' },
      ...{ country: details.storefront, discount: details.discount, offer: details.offer },
      ...{ offerPeriod: details.offerPeriod, billedMonthly: details.billingPlan === 'monthly' },
      ...{ priceMilliunits: details.priceMilliunits, currency: details.currency },
      refundedMilliunits: details.revocationPercentageMilliunits,
    });
  }
  return {
    transactions: [...transactions.values()],
    renewals: inOrder.map(({ renewal }) => {
      const { signedAt, willRenew, inBillingRetry: retrying, graceExpiresAt } = toRenewal(renewal);
      const { expiryReason } = toRenewalDetails(renewal, '');
      return { signedAt, willRenew, retrying, graceExpiresAt, expiryReason };
    }),
  };
}
