/**
 * The App Store Server API and the data that the store signs, in our own words.
 * Every time is milliseconds since the epoch, every `signedAt` the store's own signing time.
 */
export const ENVIRONMENTS = ['Production', 'Sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export type ProductType =
  | 'subscription'
  | 'non_consumable'
  | 'non_renewing'
  | 'consumable'
  | 'unknown';

export type TransactionSnapshot = {
  environment: Environment;
  bundleId: string;
  transactionId: string;
  originalTransactionId: string;
  productId: string;
  type: ProductType;
  purchasedAt: number;
  expiresAt: number | null;
  /** Set while the store counts the transaction as refunded or revoked; gone when it reverses. */
  revokedAt: number | null;
  /** Replaced by an upgrade in the same subscription group. */
  upgraded: boolean;
  ownership: 'purchased' | 'family_shared';
  /** Lower case UUID that the app signed the purchase with. */
  appAccountToken: string | null;
  freeTrial: boolean;
  signedAt: number;
};

export type RenewalSnapshot = {
  environment: Environment;
  originalTransactionId: string;
  willRenew: boolean;
  inBillingRetry: boolean;
  graceExpiresAt: number | null;
  renewsAt: number | null;
  signedAt: number;
};

/** The store's own word on a subscription: 1 active, 2 expired, 3 retry, 4 grace, 5 revoked. */
export type StoreStatus = 1 | 2 | 3 | 4 | 5;

export type Notification = {
  environment: Environment;
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
  transaction: TransactionSnapshot;
  renewal: RenewalSnapshot | null;
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
  transaction(signedTransaction: string): Promise<TransactionSnapshot>;
  renewal(signedRenewal: string): Promise<RenewalSnapshot>;
}

/** An In-App Purchase key and the app it asks for. */
export type PurchaseKey = {
  issuerId: string;
  keyId: string;
  /** PKCS#8 PEM of a P-256 key. */
  privateKey: string;
  bundleId: string;
};

export type NotificationHistoryPage = {
  signedPayloads: string[];
  /** Where the next page starts, or null on the last one. */
  paginationToken: string | null;
};

export type HistoryWindow = { startMs: number; endMs: number };

/** Throws `ProviderError`, or `SignatureError` when an answer carries data that is not signed. */
export interface StoreServer {
  /** Resolves when the store accepts the key. */
  checkKey(key: PurchaseKey): Promise<void>;
  /** Every subscription of the person who made this transaction. */
  subscriptionStatuses(
    key: PurchaseKey,
    environment: Environment,
    transactionId: string,
  ): Promise<SubscriptionStatus[]>;
  transaction(
    key: PurchaseKey,
    environment: Environment,
    transactionId: string,
  ): Promise<TransactionSnapshot>;
  notificationHistory(
    key: PurchaseKey,
    environment: Environment,
    window: HistoryWindow,
    paginationToken: string | null,
  ): Promise<NotificationHistoryPage>;
  /** Asks the store to send its TEST notification; gives the store's token for it. */
  requestTestNotification(key: PurchaseKey, environment: Environment): Promise<string>;
}
