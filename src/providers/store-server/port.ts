import type { AppStoreKey } from '../../shared/app-store-token.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { ChainStatus, SignedRenewal, SignedTransaction } from '../../shared/purchase.ts';

/** The App Store Server API and the data that Apple signs. Times are milliseconds since the epoch. */
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
  status: ChainStatus | null;
};

/** What one answer of the store says about one chain of transactions. */
export type SubscriptionStatus = {
  chainId: string;
  status: ChainStatus | null;
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
