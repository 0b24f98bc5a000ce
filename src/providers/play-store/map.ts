import { REAL_PURCHASES, TEST_PURCHASES } from '../../shared/environment.ts';
import { wordCodes } from '../../shared/word-codes.ts';
import * as port from './port.ts';
import type {
  OrderAnswer,
  PlansAnswer,
  ProductAnswer,
  SubscriptionAnswer,
  VoidedAnswer,
} from './wire.ts';

const STATES = wordCodes(
  port.PLAY_STATES,
  {
    pending: 'SUBSCRIPTION_STATE_PENDING',
    active: 'SUBSCRIPTION_STATE_ACTIVE',
    grace: 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD',
    hold: 'SUBSCRIPTION_STATE_ON_HOLD',
    paused: 'SUBSCRIPTION_STATE_PAUSED',
    canceled: 'SUBSCRIPTION_STATE_CANCELED',
    expired: 'SUBSCRIPTION_STATE_EXPIRED',
    pending_canceled: 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED',
  },
  String,
);

/** Google spells the second one both ways. */
const PRODUCT_STATES = wordCodes(
  port.PLAY_PRODUCT_STATES,
  { purchased: 'PURCHASED', canceled: 'CANCELED', pending: 'PENDING' },
  String,
);

const ACKNOWLEDGED = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
const CONSUMED = 'CONSUMPTION_STATE_CONSUMED';

type LineItem = SubscriptionAnswer['lineItems'][number];
type Money = NonNullable<NonNullable<LineItem['autoRenewingPlan']>['recurringPrice']>;

const NANOS_OF_A_MILLIUNIT = 1_000_000;
const toMillis = (time: string | undefined) => (time === undefined ? null : Date.parse(time));

function toMilliunits({ units = '0', nanos = 0 }: Money): number {
  return Number(units) * 1_000 + Math.round(nanos / NANOS_OF_A_MILLIUNIT);
}

type Phase = { trial: unknown; proration: unknown; original: string | undefined };

/** A prorated trial stays a trial. */
const toPhase = ({ trial, proration, original }: Phase) => ({
  isTrial: trial !== undefined || original === 'FREE_TRIAL',
  isProrated: proration !== undefined && original !== 'FREE_TRIAL' && original !== 'INTRODUCTORY',
});

function toLine(item: LineItem): port.PlayLine {
  const price = item.autoRenewingPlan?.recurringPrice;
  return {
    productId: item.productId,
    basePlanId: item.offerDetails?.basePlanId ?? null,
    offerId: item.offerDetails?.offerId ?? null,
    orderId: item.latestSuccessfulOrderId ?? null,
    expiresAt: toMillis(item.expiryTime),
    willRenew: item.autoRenewingPlan?.autoRenewEnabled ?? false,
    ...toPhase({
      trial: item.offerPhase?.freeTrial,
      proration: item.offerPhase?.prorationPeriod,
      original: item.offerPhase?.prorationPeriod?.originalOfferPhaseType,
    }),
    priceMilliunits: price ? toMilliunits(price) : null,
    currency: price?.currencyCode ?? null,
  };
}

export function toSubscription(answer: SubscriptionAnswer): port.PlaySubscription {
  const expired = answer.outOfAppPurchaseContext;
  const ids = answer.externalAccountIdentifiers ?? expired?.expiredExternalAccountIdentifiers;
  const waiting = answer.onHoldStateContext ?? answer.inGracePeriodStateContext;
  return {
    environment: answer.testPurchase ? TEST_PURCHASES : REAL_PURCHASES,
    state: STATES.toWord(answer.subscriptionState) ?? 'unlisted:',
    startedAt: toMillis(answer.startTime),
    isAcknowledged: answer.acknowledgementState === ACKNOWLEDGED,
    replacesToken: answer.linkedPurchaseToken ?? expired?.expiredPurchaseToken ?? null,
    ...(expired && { isResubscription: true }),
    pendingOrderId: waiting?.renewalDeclined?.pendingOrderId,
    accountId: ids?.obfuscatedExternalAccountId ?? null,
    profileId: ids?.obfuscatedExternalProfileId ?? null,
    country: answer.regionCode ?? null,
    lines: answer.lineItems.map(toLine),
  };
}

export function toProduct(answer: ProductAnswer): port.PlayProduct {
  const state = answer.purchaseStateContext.purchaseState.replace('CANCELLED', 'CANCELED');
  return {
    environment: answer.testPurchaseContext ? TEST_PURCHASES : REAL_PURCHASES,
    state: PRODUCT_STATES.toWord(state) ?? 'unlisted:',
    boughtAt: toMillis(answer.purchaseCompletionTime),
    orderId: answer.orderId ?? null,
    isAcknowledged: answer.acknowledgementState === ACKNOWLEDGED,
    accountId: answer.obfuscatedExternalAccountId ?? null,
    profileId: answer.obfuscatedExternalProfileId ?? null,
    country: answer.regionCode ?? null,
    lines: answer.productLineItem.map(({ productId, productOfferDetails: offer }) => ({
      productId,
      offerId: offer?.offerId ?? null,
      // 1 is left out.
      quantity: offer?.quantity ?? 1,
      isConsumed: offer?.consumptionState === CONSUMED,
    })),
  };
}

const WHOLE = 100_000;
const UNPAID: ReadonlySet<string> = new Set(['PENDING', 'CANCELED']);
const REFUNDED = 'REFUNDED';

/** Partial refunds count as one, at the last of them. */
function toRefund({ state, total, orderHistory: history }: OrderAnswer): port.PlayOrder['refund'] {
  const at = toMillis(history?.refundEvent?.eventTime);
  if (at !== null || state === REFUNDED) return at === null ? null : { at, share: null };
  const parts = (history?.partialRefundEvents ?? []).filter(
    (part) => part.state === 'PROCESSED_SUCCESSFULLY',
  );
  const back = parts.reduce((sum, part) => sum + toMilliunits(part.refundDetails?.total ?? {}), 0);
  const paid = toMilliunits(total ?? {});
  const times = parts.flatMap((part) => toMillis(part.processTime ?? part.createTime) ?? []);
  if (times.length === 0 || paid === 0) return null;
  return { at: Math.max(...times), share: Math.min(WHOLE, Math.round((back * WHOLE) / paid)) };
}

function toOrderLine(line: OrderAnswer['lineItems'][number]): port.PlayOrderLine[] {
  const { productId, total, listingPrice, subscriptionDetails: details } = line;
  const currency = total?.currencyCode;
  if (!total || currency === undefined) return [];
  const phase = details?.offerPhaseDetails;
  return [
    {
      productId,
      basePlanId: details?.basePlanId ?? null,
      offerId: details?.offerId ?? null,
      priceMilliunits: toMilliunits(total),
      listedMilliunits: listingPrice ? toMilliunits(listingPrice) : null,
      currency,
      startsAt: toMillis(details?.servicePeriodStartTime),
      endsAt: toMillis(details?.servicePeriodEndTime),
      ...toPhase({
        trial: phase?.freeTrialDetails,
        proration: phase?.prorationPeriodDetails,
        original: phase?.prorationPeriodDetails?.originalOfferPhase,
      }),
    },
  ];
}

export const toOrder = (order: OrderAnswer): port.PlayOrder => ({
  orderId: order.orderId,
  purchaseToken: order.purchaseToken,
  paidAt: toMillis(order.orderHistory?.processedEvent?.eventTime ?? order.createTime),
  refund: toRefund(order),
  lines: UNPAID.has(order.state ?? '') ? [] : order.lineItems.flatMap(toOrderLine),
});

export const toPlanPeriods = ({ basePlans = [] }: PlansAnswer): Map<string, string> =>
  new Map(
    basePlans.flatMap((plan) => {
      const type =
        plan.autoRenewingBasePlanType ?? plan.installmentsBasePlanType ?? plan.prepaidBasePlanType;
      const period = type?.billingPeriodDuration;
      return period === undefined ? [] : [[plan.basePlanId, period] as const];
    }),
  );

const WITH_ACCESS: ReadonlySet<string> = new Set(['active', 'grace', 'canceled']);

/** Null of a state that Google added: what was known before stays. */
export function hasAccess(
  { state }: Pick<port.PlaySubscription, 'state'>,
  { expiresAt }: Pick<port.PlayLine, 'expiresAt'>,
  nowMs: number,
): boolean | null {
  if (state.startsWith('unlisted:')) return null;
  return WITH_ACCESS.has(state) && expiresAt !== null && nowMs < expiresAt;
}

export function toAcknowledgement({ kind, purchase }: port.PlayFound): Record<string, unknown> {
  const { accountId, profileId } = purchase;
  if (kind === 'product' || !purchase.isResubscription || accountId === null) return {};
  const profile = profileId === null ? {} : { obfuscatedProfileId: profileId };
  return { externalAccountIds: { obfuscatedAccountId: accountId, ...profile } };
}

const REVIEWS = { decline: 'DECLINE', grant_full: 'APPROVE', grant_prorated: 'NEUTRAL' };

export const toReviewBody = (review: port.RefundReview): Record<string, unknown> => ({
  pendingRefundToken: review.token,
  refundPreference: REVIEWS[review.preference ?? 'grant_prorated'],
  sampleContentProvided: review.sampleContentProvided,
  ...(review.usedMillipercent !== null && {
    consumptionPercentageMilliunits: review.usedMillipercent,
  }),
  ...(review.evidence && {
    consumptionUsageEvents: review.evidence.atMs.map((at) => ({
      consumptionTime: new Date(at).toISOString(),
      consumptionItemDescription: review.evidence?.eventName,
    })),
  }),
});

export function toVoidedPage({
  voidedPurchases = [],
  tokenPagination,
}: VoidedAnswer): port.VoidedPage {
  return {
    voided: voidedPurchases.map((row) => ({
      purchaseToken: row.purchaseToken,
      orderId: row.orderId,
      voidedAt: Number(row.voidedTimeMillis),
      quantity: row.voidedQuantity ?? null,
    })),
    nextPage: tokenPagination?.nextPageToken ?? null,
  };
}
