/** Google Play's answers, in its own words. */

const DAY = 86_400_000;

export type Body = Record<string, unknown>;
export type Plan = {
  productId: string;
  basePlanId: string;
  lengthMs: number;
  period: string;
  milliunits: number;
};

export type State =
  | 'PENDING'
  | 'ACTIVE'
  | 'CANCELED'
  | 'IN_GRACE_PERIOD'
  | 'ON_HOLD'
  | 'PAUSED'
  | 'EXPIRED'
  | 'PENDING_PURCHASE_CANCELED';

export const iso = (ms: number): string => new Date(ms).toISOString();

/** Google leaves out zeros. */
export function money(milliunits: number, currencyCode: string): Body {
  const units = Math.trunc(milliunits / 1_000);
  const nanos = (milliunits % 1_000) * 1_000_000;
  return {
    currencyCode,
    ...(units === 0 ? {} : { units: String(units) }),
    ...(nanos === 0 ? {} : { nanos }),
  };
}

export type OrderOf = {
  orderId: string;
  purchaseToken: string;
  at: number;
  milliunits: number;
  listed: number;
  currency: string;
  country: string;
  productId: string;
};

const orderBody = ({ orderId, purchaseToken, at, ...order }: OrderOf, details: Body): Body => {
  const { milliunits, listed, currency, country, productId } = order;
  const total = money(milliunits, currency);
  return {
    ...{ orderId, purchaseToken, state: 'PROCESSED', createTime: iso(at - 60_000), total },
    orderHistory: { processedEvent: { eventTime: iso(at) } },
    buyerAddress: { buyerCountry: country },
    lineItems: [{ productId, total, listingPrice: money(listed, currency), ...details }],
  };
};

/** Of a period; a proration names the phase that it goes on with. */
export type Phase = 'base' | 'proration' | 'trial' | 'trialProration';
const DETAILS: Readonly<Record<Phase, Body>> = {
  base: { baseDetails: {} },
  trial: { freeTrialDetails: {} },
  proration: { prorationPeriodDetails: { originalOfferPhase: 'BASE' } },
  trialProration: { prorationPeriodDetails: { originalOfferPhase: 'FREE_TRIAL' } },
};
export const OFFER_PHASES: Readonly<Record<Phase, Body>> = {
  base: { basePrice: {} },
  trial: { freeTrial: {} },
  proration: { prorationPeriod: { originalOfferPhaseType: 'BASE' } },
  trialProration: { prorationPeriod: { originalOfferPhaseType: 'FREE_TRIAL' } },
};

/** The money goes back, by one event or by a part. */
export function refunded(order: Body, at: number, part: number | null): Body {
  const { total, orderHistory } = order as { total: { currencyCode: string }; orderHistory: Body };
  const back = part === null ? total : money(part, total.currencyCode);
  const refundDetails = { total: back };
  const event =
    part === null
      ? { refundEvent: { eventTime: iso(at), refundDetails, refundReason: 'OTHER' } }
      : {
          partialRefundEvents: [
            { createTime: iso(at - 60_000), processTime: iso(at), refundDetails },
            { createTime: iso(at), state: 'PENDING', refundDetails },
          ].map((one) => ({ state: 'PROCESSED_SUCCESSFULLY', ...one })),
        };
  const state = part === null ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return { ...order, state, orderHistory: { ...orderHistory, ...event } };
}

/** As the catalogue has a product. */
export const catalogueOf = (productId: string, plans: readonly Plan[]): Body => ({
  productId,
  basePlans: plans.map(({ basePlanId, period }) => ({
    ...{ basePlanId, state: 'ACTIVE' },
    autoRenewingBasePlanType: { billingPeriodDuration: period },
  })),
});

export const subscriptionOrder = (
  order: OrderOf,
  period: { basePlanId: string; from: number; to: number; phase: Phase },
): Body =>
  orderBody(order, {
    subscriptionDetails: {
      basePlanId: period.basePlanId,
      servicePeriodStartTime: iso(period.from),
      servicePeriodEndTime: iso(period.to),
      offerPhaseDetails: DETAILS[period.phase],
    },
  });

export const productOrder = (order: OrderOf, quantity: number): Body =>
  orderBody(order, { oneTimePurchaseDetails: quantity === 1 ? {} : { quantity } });

/** Fields of one state only. */
export function contextOf(state: State, { now, expiry }: { now: number; expiry: number }): Body {
  switch (state) {
    case 'PAUSED':
      return { pausedStateContext: { autoResumeTime: iso(expiry + 30 * DAY) } };
    case 'ON_HOLD':
      return { onHoldStateContext: { renewalDeclined: {} } };
    case 'IN_GRACE_PERIOD':
      return { inGracePeriodStateContext: { renewalDeclined: {} } };
    case 'CANCELED':
      return { canceledStateContext: { userInitiatedCancellation: { cancelTime: iso(now) } } };
    default:
      return {};
  }
}

/** Bought, but not paid for; in place of another one. */
export const pendingPurchase = (
  { productId, basePlanId }: Plan,
  state: State,
  { linked, country, isTest }: { linked: string; country: string; isTest: boolean },
): Body => ({
  regionCode: country,
  subscriptionState: `SUBSCRIPTION_STATE_${state}`,
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
  linkedPurchaseToken: linked,
  lineItems: [
    { productId, offerDetails: { basePlanId }, autoRenewingPlan: { autoRenewEnabled: true } },
  ],
  ...(isTest ? { testPurchase: {} } : {}),
});
