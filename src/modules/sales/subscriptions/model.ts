import { type Static, Type } from '@sinclair/typebox';
import { SUBSCRIPTION_PLANS } from '../../../providers/store/port.ts';
import { Nullable, OneOf, QueryInteger, WindowDay } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { Freshness } from '../analytics/freshness.ts';
import { DAYS_MAX, DEFAULT_DAYS } from '../analytics/window.ts';

/** An account has some hundred. */
export const ROWS_MAX = 1_000;

export const SubscriptionsQuery = Type.Object({
  from: Type.Optional(WindowDay),
  to: Type.Optional(WindowDay),
  days: Type.Optional(QueryInteger(1, DAYS_MAX, { whenLeftOut: DEFAULT_DAYS })),
  storeAppId: Type.Optional(Text(1, 40, { description: 'One of GET /v1/store/apps' })),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166, in either case' }),
  ),
  subscriptionId: Type.Optional(
    Text(1, 40, { description: 'The store’s id of one subscription, as in `byProduct`' }),
  ),
});
export type SubscriptionsQuery = Static<typeof SubscriptionsQuery>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const COUNTS = {
  paid: count('In a paid period, at the standard price or a paid offer; no trials'),
  trials: count('In a free offer: trials, free promotional offers, offer codes and win-backs'),
  marketingOptIns: count('In the free time that the store gives for consent to marketing'),
  gracePeriod: count('With access although the payment failed'),
  billingRetry: count('Whose payment failed and is tried again'),
};
export const SubscriptionCounts = Type.Object(COUNTS);
export type SubscriptionCounts = Static<typeof SubscriptionCounts>;

const DayOfSubscriptions = Type.Object({ ...COUNTS, day: Type.String(), covered: Type.Boolean() });

const Product = {
  storeAppId: Type.String(),
  subscriptionId: Type.String({ description: 'The store’s id of the subscription' }),
  name: Type.String(),
  duration: Type.String({ description: 'As the store writes it: `1 Month`' }),
};
const ByProduct = Type.Object({
  ...COUNTS,
  ...Product,
  sku: Nullable(
    Type.String({ description: 'The product id, where sales of the last weeks name it' }),
  ),
  groupId: Type.String(),
});
const ByCountry = Type.Object({ ...COUNTS, key: Type.String(), label: Type.String() });
const ByPrice = Type.Object({
  ...COUNTS,
  ...Product,
  country: Type.String(),
  currency: Type.String(),
  customerPriceMinor: Type.Integer({ description: 'What a customer pays for one period' }),
  proceedsCurrency: Type.String(),
  proceedsMinor: Type.Integer({ description: 'What of it is paid out' }),
  preservedPrice: Type.Boolean({ description: 'Kept from before a price change' }),
});
const ByOffer = Type.Object({
  ...COUNTS,
  plan: OneOf(SUBSCRIPTION_PLANS),
  offerName: Type.String(),
  offerId: Type.String(),
});

export const Subscriptions = Type.Object(
  {
    window: Type.Object({ from: Type.String(), to: Type.String(), days: Type.Integer() }),
    freshness: Freshness,
    through: Nullable(Type.String({ description: 'The newest day of the window with a report' })),
    latest: Nullable(SubscriptionCounts),
    series: Type.Array(DayOfSubscriptions),
    byProduct: Type.Array(ByProduct),
    byCountry: Type.Array(ByCountry),
    byPrice: Type.Array(ByPrice),
    byOffer: Type.Array(ByOffer),
    omitted: Type.Integer({
      minimum: 0,
      description: `Rows beyond the first ${ROWS_MAX} of \`byPrice\` and \`byOffer\``,
    }),
  },
  { title: 'Subscriptions' },
);
export type Subscriptions = Static<typeof Subscriptions>;
