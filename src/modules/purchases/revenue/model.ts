import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { STORES } from '../../../shared/stores.ts';
import {
  DateTime,
  Day,
  Named,
  Nullable,
  OneOf,
  QueryInteger,
  WindowDay,
} from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { CurrencyParameter } from '../../sales/index.ts';
import { StoreEnvironmentParameter, StoreParameter } from '../overview/model.ts';
import { SALE_KINDS } from './sales.ts';

export const DEFAULT_DAYS = 30;
export const DAYS_MAX = 400;
export const REVENUE_INTERVALS = ['day', 'week', 'month'] as const;
export type RevenueInterval = (typeof REVENUE_INTERVALS)[number];

export const IntervalParameter = (whenLeftOut: RevenueInterval) =>
  Type.Optional(OneOf(REVENUE_INTERVALS, { description: 'Weeks begin on Monday.', whenLeftOut }));
export const TimezoneParameter = Type.Optional(
  Type.String({ maxLength: 64, description: "IANA name; the app's timezone when left out." }),
);

export const RevenueQuery = Type.Object({
  from: Type.Optional(WindowDay),
  to: Type.Optional(WindowDay),
  days: Type.Optional(
    QueryInteger(1, DAYS_MAX, {
      description: 'Days that end today; not together with `from` or `to`.',
      whenLeftOut: DEFAULT_DAYS,
    }),
  ),
  interval: IntervalParameter('day'),
  timezone: TimezoneParameter,
  currency: CurrencyParameter,
  environment: StoreEnvironmentParameter,
  store: StoreParameter,
  productId: Type.Optional(Text(1, 200)),
  country: Type.Optional(
    Type.String({
      pattern: '^([A-Z]{3}|unknown)$',
      description: "The storefront's three letters, or `unknown`.",
    }),
  ),
  offer: Type.Optional(Text(1, 300, { description: 'One of `byOffer`; `none` without an offer.' })),
  kind: Type.Optional(OneOf(SALE_KINDS)),
});
export type RevenueInput = Static<typeof RevenueQuery>;
export type WindowInput = Pick<RevenueInput, 'days' | 'from' | 'interval' | 'to'>;

const Count = Type.Integer({ minimum: 0 });
const Minor = Type.Integer({ description: 'Minor units of the currency.' });

const GivenBack = Named('GivenBackMoney', { count: Count, amountMinor: Minor });

const FIGURES = {
  purchases: Type.Integer({ minimum: 0, description: 'Paid transactions bought in these days.' }),
  grossMinor: Type.Integer({
    description: "The customers' prices, before commission and tax, by the day of the purchase.",
  }),
  refunds: Type.Object({
    byPurchaseDay: Type.Composite([GivenBack], {
      description: 'Of what was bought in these days, since refunded: the past changes.',
    }),
    byRefundDay: Type.Composite([GivenBack], {
      description: 'Given back in these days, whenever it was bought.',
    }),
  }),
  netMinor: Type.Integer({ description: '`grossMinor` less `refunds.byRefundDay`.' }),
  proceedsMinor: Nullable(
    Type.Integer({
      description:
        'Of `netMinor` what the store pays out, where its reports of the last 35 days say the share of the product, country and currency; null where they say none.',
    }),
  ),
  withoutShareMinor: Type.Integer({
    description: 'The part of `netMinor` whose share no report says; not in `proceedsMinor`.',
  }),
};
export const RevenueFigures = Named('RevenueFigures', FIGURES);
export type RevenueFigures = Static<typeof RevenueFigures>;

const Point = Named('RevenuePoint', {
  from: Day,
  to: Type.String({ format: 'date', description: 'The last day, included.' }),
  isComplete: Type.Boolean({ description: 'False for the interval that is not over.' }),
  ...FIGURES,
});
const ByProduct = Named('ProductRevenue', { productId: Type.String(), ...FIGURES });
const ByCountry = Named('CountryRevenue', {
  country: Type.String({ description: "The storefront's three letters, or `unknown`." }),
  ...FIGURES,
});
const ByOffer = Named('OfferRevenue', {
  offer: Type.String({
    description: 'The kind of offer and, where it has one, `:` and its id; `none` without one.',
  }),
  ...FIGURES,
});
const ByKind = Named('KindRevenue', {
  kind: OneOf(SALE_KINDS, {
    description:
      'new: the first payment of a subscription; after_trial: the first payment after a free trial; renewal: any later one; one_time: what does not renew.',
  }),
  ...FIGURES,
});

const ByStore = Named('StoreRevenue', { store: OneOf(STORES), ...FIGURES });

const OwnCurrency = Named('OwnCurrencyRevenue', {
  currency: Type.String(),
  purchases: Count,
  grossMinor: Minor,
  refunds: GivenBack,
});

export const NOT_REPORTED = [
  'sandbox',
  'store_not_connected',
  'app_not_linked',
  'not_by_offer_or_kind',
  'not_of_this_store',
] as const;

const Reported = Named(
  'ReportedRevenue',
  {
    from: Day,
    to: Day,
    customerSpendMinor: Type.Integer({
      description:
        "What customers paid for in-app purchases and subscriptions by the store's sales reports of the same dates, Pacific days, refunds taken out on the day that the store reports them.",
    }),
    proceedsMinor: Type.Integer({ description: 'What the store pays out of it.' }),
    commissionAndTaxMinor: Type.Integer({
      description: '`customerSpendMinor` less `proceedsMinor`.',
    }),
    daysMissing: Type.Integer({ description: 'Days that no report says anything of yet.' }),
    differenceMinor: Type.Integer({
      description:
        '`totals.netMinor` less `customerSpendMinor`; the sum of what `explained` says of it.',
    }),
    explained: Type.Object({
      daysMinor: Type.Integer({
        description: "Days of the store are Pacific, ours of the window's zone.",
      }),
      notReportedMinor: Type.Integer({ description: 'Of days that no report says anything of.' }),
      onlySignedMinor: Type.Integer({ description: 'Of products that the reports do not name.' }),
      onlyReportedMinor: Type.Integer({
        description:
          'Of products that no notification or device told of, with the sign of the difference.',
      }),
      restMinor: Type.Integer({
        description:
          'Of products and days that both have: purchases that only one of them knows, refunds that the store books on another day, rates of another day, prices that were not signed.',
      }),
    }),
  },
  {
    description: "The store's own sales of the same dates beside the figures, and why they differ.",
  },
);
export type ReportedRevenue = Static<typeof Reported>;

export const PurchaseRevenue = Named('PurchaseRevenue', {
  appId: Type.String(),
  from: Day,
  to: Day,
  timezone: Type.String(),
  interval: OneOf(REVENUE_INTERVALS),
  asOf: Type.String({ format: 'date-time', description: 'The end of the window, or now.' }),
  currency: Type.String(),
  environment: OneOf(STORE_ENVIRONMENTS),
  source: OneOf(['transactions'], { description: 'What the store signed.' }),
  totals: RevenueFigures,
  points: Type.Array(Point),
  byProduct: Type.Array(ByProduct),
  byCountry: Type.Array(ByCountry),
  byOffer: Type.Array(ByOffer),
  byKind: Type.Array(ByKind),
  byStore: Type.Optional(
    Type.Array(ByStore, { description: 'Where anything of these figures is of Google Play.' }),
  ),
  currencies: Type.Array(OwnCurrency, {
    description: 'All of it in the currencies that customers paid in, unconverted.',
  }),
  unconverted: Type.Array(OwnCurrency, {
    description: 'The part without an exchange rate: counted, but in no amount of the others.',
  }),
  withoutPrice: Type.Integer({
    minimum: 0,
    description: 'Purchases whose price the store did not sign: counted, but in no amount.',
  }),
  historyPending: Type.Integer({
    minimum: 0,
    description:
      'Subscriptions whose history was not read from the store yet: their first known renewal looks new.',
  }),
  reported: Nullable(Reported),
  reportedMissing: Nullable(OneOf(NOT_REPORTED, { description: 'Why `reported` is null.' })),
  computedAt: DateTime,
});
export type PurchaseRevenue = Static<typeof PurchaseRevenue>;
