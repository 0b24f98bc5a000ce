import type {
  PlayOrder,
  PlayProduct,
  PlayProductLine,
} from '../../../providers/play-store/port.ts';
import type { Transaction } from '../../../shared/purchase.ts';
import { storefrontOfCountry } from '../../../shared/storefront.ts';
import type { PartialTransaction } from '../ledger/signed-queries.ts';
import { accountTokenOf } from './account-token.ts';
import { orderLine, pricePaid } from './order-line.ts';

export type ProductAnswer = {
  chainId: string;
  packageName: string;
  product: PlayProduct;
  orders: readonly PlayOrder[];
  known: readonly Transaction[];
  answeredAt: number;
};

/** Google does not say until then that a product can be consumed. */
const typeOf = ({ isConsumed }: PlayProductLine) =>
  isConsumed ? ('consumable' as const) : ('non_consumable' as const);

function toTransaction(line: PlayProductLine, answer: ProductAnswer): PartialTransaction {
  const { product, chainId, packageName, known, answeredAt } = answer;
  const orderId = product.orderId ?? chainId;
  const ofOrder = product.lines.map(() => ({ orderId }));
  const transactionId = orderLine({ orderId, productId: line.productId }, ofOrder);
  const same = known.find((one) => one.transactionId === transactionId);
  const boughtAt = product.boughtAt ?? same?.purchasedAt ?? answeredAt;
  const paid = pricePaid(answer.orders, { orderId, productId: line.productId });
  // Without a reason or day: what a void says is more exact.
  const isCanceled = product.state === 'canceled';
  return {
    snapshot: {
      environment: product.environment,
      bundleId: packageName,
      ...{ transactionId, chainId, productId: line.productId, type: typeOf(line) },
      purchasedAt: boughtAt,
      expiresAt: null,
      revokedAt: same?.revokedAt ?? (isCanceled ? answeredAt : null),
      upgraded: false,
      ownership: 'purchased',
      appAccountToken: accountTokenOf(product),
      freeTrial: false,
      signedAt: answeredAt,
    },
    details:
      same && !paid
        ? null
        : {
            ...{ offer: null, offerId: line.offerId, discount: null, offerPeriod: null },
            text: '',
            ...(paid ?? { priceMilliunits: null, currency: null }),
            storefront: storefrontOfCountry(product.country),
            quantity: line.quantity,
            subscriptionGroup: null,
            originalPurchasedAt: boughtAt,
            ...{ transactionReason: null, refundReason: null, revocationType: null },
            revocationPercentageMilliunits: null,
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
