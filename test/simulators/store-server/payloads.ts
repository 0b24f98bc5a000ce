import { randomUUID } from 'node:crypto';

export type SimEnvironment = 'Production' | 'Sandbox';

/** The store's own transaction payload, all dates in milliseconds. */
export type TransactionPayload = {
  transactionId: string;
  originalTransactionId: string;
  bundleId: string;
  productId: string;
  subscriptionGroupIdentifier?: string;
  purchaseDate: number;
  originalPurchaseDate: number;
  expiresDate?: number;
  quantity: number;
  type: string;
  appAccountToken?: string;
  inAppOwnershipType: 'PURCHASED' | 'FAMILY_SHARED' | 'ASSIGNED';
  signedDate: number;
  revocationDate?: number;
  revocationReason?: number;
  /** 50000 is half of the price. */
  revocationPercentage?: number;
  isUpgraded?: boolean;
  /** Of the customer in this app. */
  appTransactionId?: string;
  offerType?: number;
  offerDiscountType?: string;
  offerPeriod?: string;
  billingPlanType?: 'BILLED_UPFRONT' | 'MONTHLY';
  commitmentInfo?: {
    billingPeriodNumber: number;
    totalBillingPeriods: number;
    commitmentExpiresDate: number;
    commitmentPrice: number;
  };
  environment: string;
  transactionReason: 'PURCHASE' | 'RENEWAL';
  storefront: string;
  storefrontId: string;
  price: number;
  currency: string;
};

export type RenewalPayload = {
  originalTransactionId: string;
  autoRenewProductId: string;
  productId: string;
  autoRenewStatus: 0 | 1;
  isInBillingRetryPeriod?: boolean;
  gracePeriodExpiresDate?: number;
  expirationIntent?: number;
  renewalDate?: number;
  signedDate: number;
  environment: string;
  recentSubscriptionStartDate: number;
  renewalBillingPlanType?: 'BILLED_UPFRONT' | 'MONTHLY';
  commitmentInfo?: { commitmentAutoRenewStatus: 0 | 1; commitmentRenewalDate: number };
};

export type NotificationPayload = {
  notificationType: string;
  subtype?: string;
  notificationUUID: string;
  version: '2.0';
  signedDate: number;
  data?: {
    appAppleId?: number;
    bundleId: string;
    bundleVersion: string;
    environment: string;
    signedTransactionInfo?: string;
    signedRenewalInfo?: string;
    status?: number;
    consumptionRequestReason?: string;
  };
  summary?: Record<string, unknown>;
  appData?: Record<string, unknown>;
  externalPurchaseToken?: Record<string, unknown>;
};

/** Every type of version 2 with its subtypes; `null` where it comes without one. */
export const NOTIFICATION_TYPES: Readonly<Record<string, readonly (string | null)[]>> = {
  SUBSCRIBED: ['INITIAL_BUY', 'RESUBSCRIBE'],
  DID_RENEW: [null, 'BILLING_RECOVERY'],
  DID_CHANGE_RENEWAL_PREF: [null, 'UPGRADE', 'DOWNGRADE'],
  DID_CHANGE_RENEWAL_STATUS: ['AUTO_RENEW_ENABLED', 'AUTO_RENEW_DISABLED', null],
  OFFER_REDEEMED: [null, 'UPGRADE', 'DOWNGRADE'],
  DID_FAIL_TO_RENEW: [null, 'GRACE_PERIOD'],
  GRACE_PERIOD_EXPIRED: [null],
  EXPIRED: ['VOLUNTARY', 'BILLING_RETRY', 'PRICE_INCREASE', 'PRODUCT_NOT_FOR_SALE', null],
  PRICE_INCREASE: ['PENDING', 'ACCEPTED'],
  REFUND: [null],
  REFUND_REVERSED: [null],
  REFUND_DECLINED: [null],
  REVOKE: [null],
  CONSUMPTION_REQUEST: [null],
  RENEWAL_EXTENDED: [null],
  RENEWAL_EXTENSION: ['FAILURE'],
  ONE_TIME_CHARGE: [null],
  METADATA_UPDATE: [null],
  MIGRATION: [null],
  PRICE_CHANGE: [null],
  TEST: [null],
};

let sequence = 2_000_000_000_000_000;
export const nextTransactionId = () => String(sequence++);

export function transactionPayload(
  given: Partial<TransactionPayload> & { bundleId: string },
): TransactionPayload {
  const now = given.purchaseDate ?? Date.now();
  const transactionId = given.transactionId ?? nextTransactionId();
  return {
    transactionId,
    originalTransactionId: transactionId,
    productId: 'pro.monthly',
    purchaseDate: now,
    originalPurchaseDate: now,
    quantity: 1,
    type: 'Auto-Renewable Subscription',
    inAppOwnershipType: 'PURCHASED',
    signedDate: now,
    environment: 'Production',
    transactionReason: 'PURCHASE',
    storefront: 'USA',
    storefrontId: '143441',
    price: 9_990,
    currency: 'USD',
    ...given,
  };
}

export function notificationPayload(
  given: Partial<NotificationPayload> & { notificationType: string },
): NotificationPayload {
  return { notificationUUID: randomUUID(), version: '2.0', signedDate: Date.now(), ...given };
}
