import { createHash } from 'node:crypto';
import { toAccountToken } from '../../shared/account-token.ts';
import { STORE_ENVIRONMENTS, type StoreEnvironment } from '../../shared/environment.ts';
import * as purchase from '../../shared/purchase.ts';
import { wordCodes } from '../../shared/word-codes.ts';
import * as port from './port.ts';
import {
  type AppTransactionPayload,
  commitment,
  commitmentPeriod,
  commitmentRenewal,
  type NotificationPayload,
  type RenewalPayload,
  type TransactionPayload,
} from './wire.ts';

const PRODUCT_TYPES: Readonly<Record<string, purchase.Transaction['type']>> = {
  'Auto-Renewable Subscription': 'subscription',
  'Non-Consumable': 'non_consumable',
  'Non-Renewing Subscription': 'non_renewing',
  Consumable: 'consumable',
};

/** Xcode and LocalTesting data is not the store's. */
export function toEnvironment(text: string | undefined): StoreEnvironment {
  const environment = STORE_ENVIRONMENTS.find((name) => name === text);
  if (!environment) throw new port.SignatureError('environment');
  return environment;
}

const STATUSES: Readonly<Record<number, purchase.ChainStatus>> = {
  1: 'active',
  2: 'expired',
  3: 'retry',
  4: 'grace',
  5: 'revoked',
};

export function toStatus(code: number | undefined): purchase.ChainStatus | null {
  return STATUSES[code ?? 0] ?? null;
}

const OFFERS = wordCodes(
  purchase.OFFER_KINDS,
  { introductory: 1, promotional: 2, offer_code: 3, win_back: 4 },
  Number,
);
const DISCOUNT_TYPES = wordCodes(
  purchase.DISCOUNTS,
  { free_trial: 'FREE_TRIAL', pay_as_you_go: 'PAY_AS_YOU_GO', pay_up_front: 'PAY_UP_FRONT' },
  String,
);
const PLANS = wordCodes(
  purchase.BILLING_PLANS,
  { monthly: 'MONTHLY', up_front: 'BILLED_UPFRONT' },
  String,
);
const EXPIRATION_INTENTS = wordCodes(
  purchase.EXPIRY_REASONS,
  { canceled: 1, billing: 2, price_increase: 3, product_unavailable: 4, other: 5 },
  Number,
);
const REVOCATION_REASONS = wordCodes(purchase.REFUND_REASONS, { other: 0, app_issue: 1 }, Number);
const PRICE_INCREASE_STATUSES = wordCodes(
  purchase.PRICE_INCREASES,
  { pending: 0, accepted: 1 },
  Number,
);

function commitmentEnd({ billingPlanType, commitmentInfo }: TransactionPayload): number | null {
  const isCommitted = billingPlanType === 'MONTHLY' && commitment.check(commitmentInfo);
  return isCommitted ? commitmentInfo.commitmentExpiresDate : null;
}

function toCommitment(
  payload: TransactionPayload,
): Pick<purchase.Transaction, 'committedUntil' | 'commitmentPeriod'> {
  const committedUntil = commitmentEnd(payload);
  if (committedUntil === null) return {};
  const { commitmentInfo } = payload;
  if (!commitmentPeriod.check(commitmentInfo)) return { committedUntil };
  const { billingPeriodNumber: number, totalBillingPeriods: total } = commitmentInfo;
  return number > total
    ? { committedUntil }
    : { committedUntil, commitmentPeriod: { number, total } };
}

export function toTransaction(payload: TransactionPayload): purchase.Transaction {
  return {
    environment: toEnvironment(payload.environment),
    bundleId: payload.bundleId,
    transactionId: payload.transactionId,
    chainId: payload.originalTransactionId,
    productId: payload.productId,
    type: PRODUCT_TYPES[payload.type ?? ''] ?? 'unknown',
    purchasedAt: payload.purchaseDate,
    expiresAt: payload.expiresDate ?? null,
    revokedAt: payload.revocationDate ?? null,
    upgraded: payload.isUpgraded ?? false,
    ownership: payload.inAppOwnershipType === 'FAMILY_SHARED' ? 'family_shared' : 'purchased',
    appAccountToken: toAccountToken(payload.appAccountToken),
    freeTrial: payload.offerDiscountType === 'FREE_TRIAL',
    ...toCommitment(payload),
    signedAt: payload.signedDate,
  };
}

/** Price of the next charge; cancelled commitments are charged to their end. */
function renewalOf({ autoRenewStatus, commitmentInfo }: RenewalPayload) {
  const isCharged = autoRenewStatus === 1;
  if (!commitmentRenewal.check(commitmentInfo)) return { willRenew: isCharged };
  const willRenew = commitmentInfo.commitmentAutoRenewStatus === 1;
  return isCharged && !willRenew ? { willRenew, isCommitted: true as const } : { willRenew };
}

export function toRenewal(payload: RenewalPayload): purchase.Renewal {
  return {
    environment: toEnvironment(payload.environment),
    chainId: payload.originalTransactionId,
    ...renewalOf(payload),
    inBillingRetry: payload.isInBillingRetryPeriod ?? false,
    graceExpiresAt: payload.gracePeriodExpiresDate ?? null,
    renewsAt: payload.renewalDate ?? null,
    signedAt: payload.signedDate,
  };
}

function wholeOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function dateOrNull(value: unknown): Date | null {
  const date = new Date(wholeOrNull(value) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** PostgreSQL text cannot hold NUL. */
function textOrNull(value: unknown): string | null {
  const isText = typeof value === 'string' && value.length <= 256 && !value.includes('\0');
  return isText ? value : null;
}

function toOffer(payload: TransactionPayload | RenewalPayload) {
  return {
    offer: OFFERS.toWord(wholeOrNull(payload.offerType)),
    offerId: textOrNull(payload.offerIdentifier),
    discount: DISCOUNT_TYPES.toWord(textOrNull(payload.offerDiscountType)),
    offerPeriod: textOrNull(payload.offerPeriod),
  };
}

export function toTransactionDetails(
  payload: TransactionPayload,
  text: string,
): purchase.TransactionDetails {
  return {
    text,
    priceMilliunits: wholeOrNull(payload.price),
    currency: textOrNull(payload.currency),
    storefront: textOrNull(payload.storefront),
    quantity: wholeOrNull(payload.quantity),
    subscriptionGroup: textOrNull(payload.subscriptionGroupIdentifier),
    originalPurchasedAt: wholeOrNull(payload.originalPurchaseDate),
    ...toOffer(payload),
    transactionReason: textOrNull(payload.transactionReason),
    refundReason: REVOCATION_REASONS.toWord(wholeOrNull(payload.revocationReason)),
    revocationType: textOrNull(payload.revocationType),
    revocationPercentageMilliunits: wholeOrNull(payload.revocationPercentage),
    billingPlan: PLANS.toWord(textOrNull(payload.billingPlanType)),
    commitmentExpiresAt: commitmentEnd(payload),
    isAssigned: payload.inAppOwnershipType === 'ASSIGNED',
    appTransactionId: textOrNull(payload.appTransactionId),
  };
}

/** It changes on re-signing. */
function contentHash({ signedDate: _, ...content }: RenewalPayload): string {
  const entries = Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('base64url');
}

export function toRenewalDetails(payload: RenewalPayload, text: string): purchase.RenewalDetails {
  return {
    text,
    contentHash: contentHash(payload),
    productId: textOrNull(payload.productId),
    autoRenewProductId: textOrNull(payload.autoRenewProductId),
    expiryReason: EXPIRATION_INTENTS.toWord(wholeOrNull(payload.expirationIntent)),
    subscriptionStartedAt: wholeOrNull(payload.recentSubscriptionStartDate),
    renewalPriceMilliunits: wholeOrNull(payload.renewalPrice),
    currency: textOrNull(payload.currency),
    priceIncrease: PRICE_INCREASE_STATUSES.toWord(wholeOrNull(payload.priceIncreaseStatus)),
    ...toOffer(payload),
  };
}

function tokenEnvironment(purchaseId: string | undefined): StoreEnvironment {
  return purchaseId?.startsWith('SANDBOX') ? 'Sandbox' : 'Production';
}

export function toNotification(payload: NotificationPayload): port.Notification {
  const token = payload.externalPurchaseToken;
  const about = payload.data ?? payload.summary ?? payload.appData ?? token;
  if (!about) throw new port.SignatureError('malformed');
  return {
    environment:
      about === token && about.environment === undefined
        ? tokenEnvironment(token.externalPurchaseId)
        : toEnvironment(about.environment),
    notificationId: payload.notificationUUID,
    type: payload.notificationType,
    subtype: payload.subtype ?? null,
    signedAt: payload.signedDate,
    bundleId: about.bundleId,
    appAppleId: about.appAppleId === undefined ? null : String(about.appAppleId),
    signedTransaction: payload.data?.signedTransactionInfo ?? null,
    signedRenewal: payload.data?.signedRenewalInfo ?? null,
    status: toStatus(payload.data?.status),
    refundReason: textOrNull(payload.data?.consumptionRequestReason),
    signedAppTransaction: payload.appData?.signedAppTransactionInfo ?? null,
    externalPurchaseId: textOrNull(token?.externalPurchaseId),
    tokenCreatedAt: dateOrNull(token?.tokenCreationDate),
  };
}

export function toAppTransaction(payload: AppTransactionPayload): port.AppTransaction {
  return {
    environment: toEnvironment(payload.receiptType),
    bundleId: payload.bundleId,
    appAppleId: payload.appAppleId === undefined ? null : String(payload.appAppleId),
    appTransactionId: payload.appTransactionId,
  };
}

const DELIVERIES: Readonly<Record<port.Delivery, string>> = {
  delivered: 'DELIVERED',
  quality_issue: 'UNDELIVERED_QUALITY_ISSUE',
  wrong_item: 'UNDELIVERED_WRONG_ITEM',
  server_outage: 'UNDELIVERED_SERVER_OUTAGE',
  other: 'UNDELIVERED_OTHER',
};
const PREFERENCES: Readonly<Record<port.RefundPreference, string>> = {
  decline: 'DECLINE',
  grant_full: 'GRANT_FULL',
  grant_prorated: 'GRANT_PRORATED',
};

export function toConsumptionBody(consumption: port.Consumption): Record<string, unknown> {
  const { delivery, sampleContentProvided, usedMillipercent, preference } = consumption;
  return {
    customerConsented: true,
    deliveryStatus: DELIVERIES[delivery],
    sampleContentProvided,
    ...(usedMillipercent === null ? {} : { consumptionPercentage: usedMillipercent }),
    ...(preference === null ? {} : { refundPreference: PREFERENCES[preference] }),
  };
}
