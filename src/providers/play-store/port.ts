import type { StoreEnvironment } from '../../shared/environment.ts';
import type { GoogleKey } from '../../shared/google-grant.ts';
import type { Unlisted } from '../../shared/word-codes.ts';

export type PlayKey = GoogleKey;

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
  /** Credit of another plan pays at least a part. */
  isProrated: boolean;
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
  /** Bought again in the store, outside of the app. */
  isResubscription?: boolean;
  pendingOrderId?: string | undefined;
  accountId: string | null;
  profileId: string | null;
  country: string | null;
  lines: PlayLine[];
};

export const PLAY_PRODUCT_STATES = ['purchased', 'canceled', 'pending'] as const;

export type PlayProductLine = {
  productId: string;
  offerId: string | null;
  quantity: number;
  isConsumed: boolean;
};

/** Bought once. Google names no price here. */
export type PlayProduct = {
  environment: StoreEnvironment;
  state: (typeof PLAY_PRODUCT_STATES)[number] | Unlisted;
  boughtAt: number | null;
  /** Null of a promo code. */
  orderId: string | null;
  isAcknowledged: boolean;
  accountId: string | null;
  profileId: string | null;
  country: string | null;
  lines: PlayProductLine[];
};

/** Amount its customer paid, after discounts and with tax. 10990 is 10.99. */
export type PlayOrder = {
  orderId: string;
  purchaseToken?: string | undefined;
  paidAt: number | null;
  /** Share of 100,000; null for all. */
  refund: { at: number; share: number | null } | null;
  lines: PlayOrderLine[];
};
export type PlayOrderLine = Pick<PlayLine, 'basePlanId' | 'isProrated' | 'isTrial' | 'offerId'> & {
  productId: string;
  priceMilliunits: number;
  listedMilliunits: number | null;
  currency: string;
  startsAt: number | null;
  endsAt: number | null;
};

export const PLAY_KINDS = ['subscription', 'product'] as const;
/** Each has methods of its own at Google. */
export type PlayKind = (typeof PLAY_KINDS)[number];

export type PlayFound =
  | { kind: 'subscription'; purchase: PlaySubscription }
  | { kind: 'product'; purchase: PlayProduct };

const OWNS_NOTHING: ReadonlySet<string> = new Set(['pending', 'pending_canceled', 'expired']);

/** A pending one is refused by Google. */
export function isAcknowledgementDue({ kind, purchase }: PlayFound): boolean {
  if (purchase.isAcknowledged) return false;
  return kind === 'product' ? purchase.state === 'purchased' : !OWNS_NOTHING.has(purchase.state);
}

/** By the methods of its kind. Throws `ProviderError`. */
export async function findPurchase(
  { subscription, product }: Pick<PlayStore, 'product' | 'subscription'>,
  key: PlayKey,
  { kind, ...purchase }: PlayPurchase & { kind: PlayKind },
): Promise<PlayFound> {
  return kind === 'subscription'
    ? { kind, purchase: await subscription(key, purchase) }
    : { kind, purchase: await product(key, purchase) };
}

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
  /** Reads a service account's file. Throws `invalid_input`, which never contains the key. */
  readKey(serviceAccount: string): PlayKey;
  /** Resolves when the key may read purchases of the app. */
  checkKey(key: PlayKey, packageName: string): Promise<void>;
  subscription(key: PlayKey, purchase: PlayPurchase): Promise<PlaySubscription>;
  product(key: PlayKey, purchase: PlayPurchase): Promise<PlayProduct>;
  order(key: PlayKey, order: { packageName: string; orderId: string }): Promise<PlayOrder>;
  /** All of them, or `not_found`. */
  orders(key: PlayKey, asked: { packageName: string; orderIds: string[] }): Promise<PlayOrder[]>;
  /** For example `P1M`, by base plan. */
  planPeriods(
    key: PlayKey,
    product: { packageName: string; productId: string },
  ): Promise<Map<string, string>>;
  /** To be repeated after any failure: asks first what is so. */
  acknowledge(key: PlayKey, purchase: PlayPurchase & { kind: PlayKind }): Promise<Acknowledgement>;
  reviewRefund(key: PlayKey, review: RefundReview): Promise<void>;
  /** Subscriptions included, oldest first. */
  voided(key: PlayKey, question: VoidedQuestion): Promise<VoidedPage>;
}

/** About a chargeback; with the consent of the customer. */
export type RefundReview = {
  packageName: string;
  orderId: string;
  token: string;
  preference: 'decline' | 'grant_full' | 'grant_prorated' | null;
  sampleContentProvided: boolean;
  usedMillipercent: number | null;
  evidence: { eventName: string; atMs: readonly number[] } | null;
};

export type PushSender = { audience: string; email: string };

/** Also of a missing token; says which rule. */
export class PushRefused extends Error {
  override name = 'PushRefused';
}

/** Throws `PushRefused`, or `ProviderError` while Google's keys cannot be had. */
export type PushVerifier = (authorization: string | null, sender: PushSender) => Promise<void>;
