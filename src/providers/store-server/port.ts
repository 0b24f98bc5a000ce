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
  refundReason: string | null;
  signedAppTransaction: string | null;
  externalPurchaseId: string | null;
  tokenCreatedAt: Date | null;
};

export type AppTransaction = {
  environment: StoreEnvironment;
  bundleId: string;
  appAppleId: string | null;
  appTransactionId: string;
};

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
  appTransaction(signedAppTransaction: string): Promise<AppTransaction>;
}

export type CertificateChain = { fingerprint: string; leaf: Uint8Array; intermediate: Uint8Array };

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

export type RenewalExtension = {
  days: number;
  reason: 'undeclared' | 'satisfaction' | 'outage' | 'other';
  requestId: string;
};

export const DELIVERIES = [
  'delivered',
  'quality_issue',
  'wrong_item',
  'server_outage',
  'other',
] as const;
export type Delivery = (typeof DELIVERIES)[number];
export const REFUND_PREFERENCES = ['decline', 'grant_full', 'grant_prorated'] as const;
export type RefundPreference = (typeof REFUND_PREFERENCES)[number];

/** With the consent of the customer. */
export type Consumption = {
  delivery: Delivery;
  sampleContentProvided: boolean;
  /** 40000 is 40 %. */
  usedMillipercent: number | null;
  preference: RefundPreference | null;
};

/** Throws `ProviderError`, or `SignatureError` for badly signed responses. */
export interface StoreServer {
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
  /** Not idempotent at the store. */
  extendRenewal(
    key: PurchaseKey,
    environment: StoreEnvironment,
    chainId: string,
    extension: RenewalExtension,
  ): Promise<{ renewsAtMs: number | null }>;
  setAppAccountToken(
    key: PurchaseKey,
    environment: StoreEnvironment,
    chainId: string,
    appAccountToken: string,
  ): Promise<void>;
  sendConsumption(
    key: PurchaseKey,
    environment: StoreEnvironment,
    transactionId: string,
    consumption: Consumption,
  ): Promise<void>;
  requestTestNotification(key: PurchaseKey, environment: StoreEnvironment): Promise<string>;
}
