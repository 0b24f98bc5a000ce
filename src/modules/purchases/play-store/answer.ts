import type { PlayLine, PlayOrder, PlaySubscription } from '../../../providers/play-store/port.ts';
import type { Transaction } from '../../../shared/purchase.ts';

export type SubscriptionAnswer = {
  chainId: string;
  packageName: string;
  subscription: PlaySubscription;
  orders: readonly PlayOrder[];
  planPeriods: ReadonlyMap<string, string>;
  /** Orders of the chain that are stored already. */
  known: readonly Transaction[];
  /** When Google answered: its answers have no time of their own. */
  answeredAt: number;
};

export type OrderedLine = PlayLine & { orderId: string; expiresAt: number };
export type OwnedLine = OrderedLine & { transactionId: string; isAddOn: boolean };

export type Term = Pick<OwnedLine, 'basePlanId' | 'isAddOn' | 'isTrial' | 'offerId'> & {
  orderId: string;
  transactionId: string;
  productId: string;
  startsAt: number;
  expiresAt: number;
  priceMilliunits: number | null;
  regularMilliunits: number | null;
  currency: string | null;
  isEstimated: boolean;
};
