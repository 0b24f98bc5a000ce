import { type Static, Type } from '@sinclair/typebox';
import type { AppStoreKey } from '../../shared/app-store-token.ts';
import { STORE_ENVIRONMENTS, type StoreEnvironment } from '../../shared/environment.ts';
import { Nullable, OneOf } from '../../shared/schema.ts';

/**
 * The App Store Server API and the data that Apple signs, in our own words.
 * Every time is milliseconds since the epoch, every `signedAt` Apple's own signing time.
 */
const EnvironmentWord = OneOf(STORE_ENVIRONMENTS);
const Millis = Type.Number();

export const TransactionSnapshot = Type.Object({
  environment: EnvironmentWord,
  bundleId: Type.String(),
  transactionId: Type.String(),
  originalTransactionId: Type.String(),
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
  freeTrial: Type.Boolean(),
  /** The end of a commitment that this month is one of; left out of all else. */
  committedUntil: Type.Optional(Millis),
  signedAt: Millis,
});
export type TransactionSnapshot = Static<typeof TransactionSnapshot>;
export type ProductType = TransactionSnapshot['type'];

export const RenewalSnapshot = Type.Object({
  environment: EnvironmentWord,
  originalTransactionId: Type.String(),
  /** What its customer wants: under a commitment, that another one follows it. */
  willRenew: Type.Boolean(),
  /** Charged again although it will not renew: the commitment runs. Left out of all else. */
  isCommitted: Type.Optional(Type.Literal(true)),
  inBillingRetry: Type.Boolean(),
  graceExpiresAt: Nullable(Millis),
  renewsAt: Nullable(Millis),
  signedAt: Millis,
});
export type RenewalSnapshot = Static<typeof RenewalSnapshot>;

type Millis = number | null;
type Word = string | null;

type Offer = {
  offerType: number | null;
  offerIdentifier: Word;
  offerDiscountType: Word;
  /** ISO 8601 duration. */
  offerPeriod: Word;
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
  currency: Word;
  /** ISO 3166-1 alpha-3. */
  storefront: Word;
  quantity: number | null;
  subscriptionGroup: Word;
  originalPurchasedAt: Millis;
  transactionReason: Word;
  revocationReason: number | null;
  revocationType: Word;
  /** 50000 is 50 %. */
  revocationPercentageMilliunits: number | null;
  /** `MONTHLY` of a month under a commitment. */
  billingPlan: Word;
  commitmentExpiresAt: Millis;
};

export type RenewalDetails = Offer & {
  text: string;
  /** The same for renewal information that differs in nothing but the time it was signed at. */
  contentHash: string;
  productId: Word;
  autoRenewProductId: Word;
  expirationIntent: number | null;
  subscriptionStartedAt: Millis;
  renewalPriceMilliunits: number | null;
  currency: Word;
  priceIncreaseStatus: number | null;
};

/** A snapshot and all else that was signed with it. */
export type SignedTransaction = { snapshot: TransactionSnapshot; details: TransactionDetails };
export type SignedRenewal = { snapshot: RenewalSnapshot; details: RenewalDetails };

/** The store's own word on a subscription: 1 active, 2 expired, 3 retry, 4 grace, 5 revoked. */
export const STORE_STATUSES = [1, 2, 3, 4, 5] as const;
export type StoreStatus = (typeof STORE_STATUSES)[number];

export type Notification = {
  environment: StoreEnvironment;
  notificationId: string;
  type: string;
  subtype: string | null;
  signedAt: number;
  bundleId: string;
  /** The store's id of the app; absent in the sandbox. */
  appAppleId: string | null;
  signedTransaction: string | null;
  signedRenewal: string | null;
  status: StoreStatus | null;
};

/** What one answer of the store says about one chain of transactions. */
export type SubscriptionStatus = {
  originalTransactionId: string;
  status: StoreStatus | null;
  transaction: SignedTransaction;
  renewal: SignedRenewal | null;
};

export type SignatureFault =
  | 'malformed'
  | 'algorithm'
  | 'chain'
  | 'certificate'
  | 'signature'
  | 'revoked'
  | 'environment';

/** Signed data that cannot be trusted, and in which way. */
export class SignatureError extends Error {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, cause?: unknown) {
    super(`The signed data is refused: ${fault}.`, { cause });
    this.name = 'SignatureError';
    this.fault = fault;
  }
}

/**
 * Checks the store's signatures offline, against pinned roots only. Every method throws
 * `SignatureError`; that the data belongs to an app is for the caller to compare.
 */
export interface SignatureVerifier {
  notification(signedPayload: string): Promise<Notification>;
  transaction(signedTransaction: string): Promise<SignedTransaction>;
  renewal(signedRenewal: string): Promise<SignedRenewal>;
}

/** A leaf certificate and its intermediate, as they came with signed data. */
export type CertificateChain = { fingerprint: string; leaf: Uint8Array; intermediate: Uint8Array };

/** An In-App Purchase key and the app it asks for. */
export type PurchaseKey = AppStoreKey & { bundleId: string };

export type NotificationHistoryPage = {
  signedPayloads: string[];
  /** Where the next page starts, or null on the last one. */
  paginationToken: string | null;
};

export type TransactionHistoryPage = {
  transactions: SignedTransaction[];
  /** Where the next page starts, or null on the last one. */
  revision: string | null;
};

export type HistoryWindow = { startMs: number; endMs: number };

/** Throws `ProviderError`, or `SignatureError` when an answer carries data that is not signed. */
export interface StoreServer {
  /** Resolves when the store accepts the key. */
  checkKey(key: PurchaseKey): Promise<void>;
  /** Every subscription of the person who made this transaction. */
  subscriptionStatuses(
    key: PurchaseKey,
    environment: StoreEnvironment,
    transactionId: string,
  ): Promise<SubscriptionStatus[]>;
  transaction(
    key: PurchaseKey,
    environment: StoreEnvironment,
    transactionId: string,
  ): Promise<SignedTransaction>;
  /** The transactions of the order id in a customer's mail, of production; none for an unknown one. */
  lookUpOrder(key: PurchaseKey, orderId: string): Promise<SignedTransaction[]>;
  /** A page of all transactions of the person who made this one, those changed last at the end. */
  transactionHistory(
    key: PurchaseKey,
    environment: StoreEnvironment,
    transactionId: string,
    revision: string | null,
  ): Promise<TransactionHistoryPage>;
  notificationHistory(
    key: PurchaseKey,
    environment: StoreEnvironment,
    window: HistoryWindow,
    paginationToken: string | null,
  ): Promise<NotificationHistoryPage>;
  /** Asks the store to send its TEST notification; gives the store's token for it. */
  requestTestNotification(key: PurchaseKey, environment: StoreEnvironment): Promise<string>;
}
