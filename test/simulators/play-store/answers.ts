/** Google Play's answers, in its own words. */

const DAY = 86_400_000;

export type Body = Record<string, unknown>;
export type Plan = {
  productId: string;
  basePlanId: string;
  lengthMs: number;
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
    ...{ orderId, purchaseToken, state: 'PROCESSED', createTime: iso(at), total },
    buyerAddress: { buyerCountry: country },
    lineItems: [{ productId, total, listingPrice: money(listed, currency), ...details }],
  };
};

export const subscriptionOrder = (
  order: OrderOf,
  period: { basePlanId: string; from: number; to: number; isTrial: boolean },
): Body =>
  orderBody(order, {
    subscriptionDetails: {
      basePlanId: period.basePlanId,
      servicePeriodStartTime: iso(period.from),
      servicePeriodEndTime: iso(period.to),
      offerPhaseDetails: { [period.isTrial ? 'freeTrialDetails' : 'baseDetails']: {} },
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
