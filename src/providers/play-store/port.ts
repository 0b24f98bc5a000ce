import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Unlisted } from '../../shared/word-codes.ts';

/** Of a service account. */
export type PlayKey = { clientEmail: string; privateKeyId: string; privateKey: string };

export const PLAY_STATES = [
  'pending',
  'active',
  'grace',
  'hold',
  'paused',
  'canceled',
  'expired',
  'pending_canceled',
] as const;
export type PlayState = (typeof PLAY_STATES)[number] | Unlisted;

/** Times are milliseconds since the epoch. */
export type PlayLine = {
  productId: string;
  basePlanId: string | null;
  offerId: string | null;
  /** Null until owned. */
  orderId: string | null;
  expiresAt: number | null;
  willRenew: boolean;
  isTrial: boolean;
  /** List price: without discount and tax. 10990 is 10.99. */
  priceMilliunits: number | null;
  currency: string | null;
};

export type PlaySubscription = {
  environment: StoreEnvironment;
  state: PlayState;
  /** Null while pending. */
  startedAt: number | null;
  isAcknowledged: boolean;
  /** The token that this one supersedes. */
  replacesToken: string | null;
  accountId: string | null;
  profileId: string | null;
  country: string | null;
  lines: PlayLine[];
};

export type PlayPurchase = { packageName: string; purchaseToken: string };
export type Acknowledgement = 'acknowledged' | 'already' | 'not_due';

export type VoidedPurchase = {
  purchaseToken: string;
  orderId: string;
  voidedAt: number;
  /** Null of all. */
  quantity: number | null;
};
export type VoidedPage = { voided: VoidedPurchase[]; nextPage: string | null };
export type VoidedQuestion = { packageName: string; sinceMs: number; page: string | null };

/** Throws `ProviderError`, whose message says what to do about a missing permission. */
export interface PlayStore {
  /** Of a service account's file. Throws `invalid_input`, which never contains the key. */
  readKey(serviceAccount: string): PlayKey;
  /** Resolves when the key may read purchases of the app. */
  checkKey(key: PlayKey, packageName: string): Promise<void>;
  subscription(key: PlayKey, purchase: PlayPurchase): Promise<PlaySubscription>;
  /** To be repeated after any failure: asks first what is so. */
  acknowledge(key: PlayKey, purchase: PlayPurchase): Promise<Acknowledgement>;
  /** Of subscriptions too, oldest first. */
  voided(key: PlayKey, question: VoidedQuestion): Promise<VoidedPage>;
}
