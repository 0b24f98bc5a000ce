import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from './environment.ts';
import { Nullable, OneOf } from './schema.ts';

/** Where a purchase was made. */
const STORES = ['app_store'] as const;
export type Store = (typeof STORES)[number];

/** A chain of transactions as its store sees it. */
export const CHAIN_STATUSES = ['active', 'expired', 'retry', 'grace', 'revoked'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

const Environment = OneOf(STORE_ENVIRONMENTS);
/** Since the epoch. */
const Millis = Type.Number();

/** A period of a subscription, or a purchase, as its store signed it last. */
export const Transaction = Type.Object({
  environment: Environment,
  bundleId: Type.String(),
  transactionId: Type.String(),
  /** The same for every transaction of one purchase: renewals, upgrades, offers. */
  chainId: Type.String(),
  productId: Type.String(),
  type: OneOf(['subscription', 'non_consumable', 'non_renewing', 'consumable', 'unknown']),
  purchasedAt: Millis,
  expiresAt: Nullable(Millis),
  /** Set while the store counts the transaction as refunded or revoked; gone when it reverses. */
  revokedAt: Nullable(Millis),
  /** Replaced by an upgrade in the same subscription group. */
  upgraded: Type.Boolean(),
  ownership: OneOf(['purchased', 'family_shared']),
  /** Lower case UUID that the app signed the purchase with. */
  appAccountToken: Nullable(Type.String()),
  /** Given away to begin a subscription, by the store's own word; every figure reads it here. */
  freeTrial: Type.Boolean(),
  /** The end of a commitment that this month is one of; left out of all else. */
  committedUntil: Type.Optional(Millis),
  signedAt: Millis,
});
export type Transaction = Static<typeof Transaction>;

/** What a store signed last about the next period of a chain. */
export const Renewal = Type.Object({
  environment: Environment,
  chainId: Type.String(),
  /** The customer's choice: under a commitment, that another one follows it. */
  willRenew: Type.Boolean(),
  /** Charged again although it will not renew: the commitment runs. Left out of all else. */
  isCommitted: Type.Optional(Type.Literal(true)),
  inBillingRetry: Type.Boolean(),
  graceExpiresAt: Nullable(Millis),
  renewsAt: Nullable(Millis),
  signedAt: Millis,
});
export type Renewal = Static<typeof Renewal>;

type MillisOrNull = number | null;
type TextOrNull = string | null;

type Offer = {
  offerType: number | null;
  offerIdentifier: TextOrNull;
  offerDiscountType: TextOrNull;
  /** ISO 8601 duration. */
  offerPeriod: TextOrNull;
};

/**
 * What a signed transaction says beside what the entitlement needs, as the store said it. A field
 * that the store left out, or said in another form, is null; the text holds it all the same.
 */
export type TransactionDetails = Offer & {
  /** The signed text itself (JWS). */
  text: string;
  /** 10990 is 10.99 of the currency. */
  priceMilliunits: number | null;
  currency: TextOrNull;
  /** ISO 3166-1 alpha-3. */
  storefront: TextOrNull;
  quantity: number | null;
  subscriptionGroup: TextOrNull;
  originalPurchasedAt: MillisOrNull;
  transactionReason: TextOrNull;
  revocationReason: number | null;
  revocationType: TextOrNull;
  /** 50000 is 50 %. */
  revocationPercentageMilliunits: number | null;
  /** `MONTHLY` of a month under a commitment. */
  billingPlan: TextOrNull;
  commitmentExpiresAt: MillisOrNull;
};

export type RenewalDetails = Offer & {
  text: string;
  /** The same for renewal information that differs in nothing but the time it was signed at. */
  contentHash: string;
  productId: TextOrNull;
  autoRenewProductId: TextOrNull;
  expirationIntent: number | null;
  subscriptionStartedAt: MillisOrNull;
  renewalPriceMilliunits: number | null;
  currency: TextOrNull;
  priceIncreaseStatus: number | null;
};

/** A transaction and all else that was signed with it. */
export type SignedTransaction = { snapshot: Transaction; details: TransactionDetails };
export type SignedRenewal = { snapshot: Renewal; details: RenewalDetails };
