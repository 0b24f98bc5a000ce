import type { AppStoreKey } from '../../shared/app-store-token.ts';
import type { StoreEnvironment } from '../../shared/environment.ts';
import type { ChainStatus, SignedRenewal, SignedTransaction } from '../../shared/purchase.ts';

/** Times are milliseconds since the epoch. */
export type Notification = {
  environment: StoreEnvironment;
  notificationId: string;
  type: string;
  subtype: string | null;
  signedAt: number;
  bundleId: string;
  appAppleId: string | null;
  signedTransaction: string | null;
  signedRenewal: string | null;
  status: ChainStatus | null;
};

/** One chain in a response. */
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

export class SignatureError extends Error {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, cause?: unknown) {
    super(`The signed data is refused: ${fault}.`, { cause });
    this.name = 'SignatureError';
    this.fault = fault;
  }
}

/** Offline. Throws `SignatureError`; callers compare the app. */
export interface SignatureVerifier {
  notification(signedPayload: string): Promise<Notification>;
  transaction(signedTransaction: string): Promise<SignedTransaction>;
  renewal(signedRenewal: string): Promise<SignedRenewal>;
}

export type CertificateChain = { fingerprint: string; leaf: Uint8Array; intermediate: Uint8Array };

/** In-App Purchase key with its app. */
export type PurchaseKey = AppStoreKey & { bundleId: string };

export type NotificationHistoryPage = {
  signedPayloads: string[];
  /** Null on the last page. */
  paginationToken: string | null;
};

export type TransactionHistoryPage = {
  transactions: SignedTransaction[];
  /** Null on the last page. */
  revision: string | null;
};

export type HistoryWindow = { startMs: number; endMs: number };

/** Throws `ProviderError`, or `SignatureError` for badly signed responses. */
export interface StoreServer {
  /** Resolves when the store accepts the key. */
  checkKey(key: PurchaseKey): Promise<void>;
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
  /** Production only; empty when unknown. */
  lookUpOrder(key: PurchaseKey, orderId: string): Promise<SignedTransaction[]>;
  /** A page of the transaction's customer's history, latest change last. */
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
  /** Returns the store's token for the TEST notification. */
  requestTestNotification(key: PurchaseKey, environment: StoreEnvironment): Promise<string>;
}
