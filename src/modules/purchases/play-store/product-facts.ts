import type * as play from '../../../providers/play-store/port.ts';
import { toAccountToken } from '../../../shared/account-token.ts';
import type { Transaction } from '../../../shared/purchase.ts';
import { storefrontOfCountry } from '../../../shared/storefront.ts';
import type { PartialTransaction } from '../ledger/signed-queries.ts';
import { lineOf, orderLine, orderOf } from './estimate.ts';
import { refundOf } from './to-facts.ts';

export type ProductAnswer = {
  chainId: string;
  packageName: string;
  product: play.PlayProduct;
  orders: readonly play.PlayOrder[];
  known: readonly Transaction[];
  answeredAt: number;
};

/** Google does not say until then that a product can be consumed. */
const typeOf = ({ isConsumed }: play.PlayProductLine) =>
  isConsumed ? ('consumable' as const) : ('non_consumable' as const);

function toTransaction(line: play.PlayProductLine, answer: ProductAnswer): PartialTransaction {
  const { product, chainId, packageName, known, answeredAt } = answer;
  const orderId = product.orderId ?? chainId;
  const { productId } = line;
  const transactionId = orderLine({ orderId, productId }, product.lines.length > 1);
  const same = known.find((one) => one.transactionId === transactionId);
  const boughtAt = product.boughtAt ?? same?.purchasedAt ?? answeredAt;
  const order = orderOf(answer.orders, orderId);
  const paid = lineOf(order, productId);
  // Without a reason or day: what a void says is more exact.
  const isCanceled = product.state === 'canceled';
  return {
    snapshot: {
      environment: product.environment,
      bundleId: packageName,
      ...{ transactionId, chainId, productId, type: typeOf(line) },
      ...refundOf(order, same),
      purchasedAt: boughtAt,
      expiresAt: null,
      revokedAt: same?.revokedAt ?? (isCanceled ? answeredAt : null),
      upgraded: false,
      ownership: 'purchased',
      appAccountToken: toAccountToken(product.accountId),
      freeTrial: false,
      signedAt: answeredAt,
    },
    details:
      same && !paid
        ? null
        : {
            ...{ offer: null, offerId: line.offerId, discount: null, offerPeriod: null },
            text: '',
            priceMilliunits: paid?.priceMilliunits ?? null,
            currency: paid?.currency ?? null,
            storefront: storefrontOfCountry(product.country),
            quantity: line.quantity,
            subscriptionGroup: null,
            originalPurchasedAt: boughtAt,
            ...{ transactionReason: null, refundReason: null, revocationType: null },
            revocationPercentageMilliunits: order?.refund?.share ?? null,
            ...{ billingPlan: null, commitmentExpiresAt: null, isAssigned: false },
          },
  };
}

/** In the words of the ledger; a pending purchase, and a state that Google added, own nothing. */
export function toProductFacts(answer: ProductAnswer): PartialTransaction[] {
  const { state, lines } = answer.product;
  const isOwned = state === 'purchased';
  // A canceled one that was never owned is no refund.
  if (!isOwned && !(state === 'canceled' && answer.known.length > 0)) return [];
  return lines.map((line) => toTransaction(line, answer));
}
