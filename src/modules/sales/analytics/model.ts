import { type Static, Type } from '@sinclair/typebox';
import { Day, Named, Nullable, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { CurrencyParameter } from '../currency/model.ts';
import { UNATTRIBUTED } from './fold.ts';
import { Freshness } from './freshness.ts';
import { METRIC_FIELDS, Metrics } from './metrics.ts';
import { KINDS } from './product-types.ts';
import { DAYS_MAX, DEFAULT_DAYS, Window } from './window.ts';

export const AnalyticsQuery = Type.Object({
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  days: Type.Optional(QueryInteger(1, DAYS_MAX, { whenLeftOut: DEFAULT_DAYS })),
  currency: CurrencyParameter,
  storeAppId: Type.Optional(
    Text(1, 40, { description: `One of GET /v1/store/apps, or \`${UNATTRIBUTED}\`` }),
  ),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166, in either case' }),
  ),
  sku: Type.Optional(Text(1, 200, { description: 'A product id, or the SKU of an app' })),
});
export type AnalyticsQuery = Static<typeof AnalyticsQuery>;

const Keyed = Named('KeyedMetrics', { ...METRIC_FIELDS, key: Type.String(), label: Type.String() });
export type Keyed = Static<typeof Keyed>;

const Money = Named('CurrencyProceeds', { currency: Type.String(), proceedsMinor: Type.Integer() });

const ByApp = Named('AppMetrics', {
  ...Keyed.properties,
  storeAppId: Type.String(),
  appId: Nullable(Type.String()),
  name: Type.String(),
  bundleId: Type.String(),
  unconverted: Type.Array(Money, {
    description: 'Proceeds of the app without a rate; not in `proceedsMinor`',
  }),
});
export type ByApp = Static<typeof ByApp>;

const SeriesDay = Named('DayMetrics', {
  ...METRIC_FIELDS,
  day: Type.String(),
  covered: Type.Boolean(),
});
export type SeriesDay = Static<typeof SeriesDay>;

const SeriesByApp = Named('AppDayMetrics', {
  ...METRIC_FIELDS,
  day: Type.String(),
  storeAppId: Type.String(),
});

const Product = Named('ProductMetrics', {
  ...METRIC_FIELDS,
  storeAppId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  kind: OneOf(KINDS),
});

const Spend = Named('CurrencySpend', {
  currency: Type.String(),
  customerSpendMinor: Type.Integer(),
});

const Missing = Named(
  'MissingSales',
  {
    days: Type.Array(Type.String(), {
      description:
        'Neither reported nor confirmed to be without sales; all of the figures lack them',
    }),
    unconverted: Type.Array(Money, { description: 'Proceeds without a rate' }),
    unconvertedSpend: Type.Array(Spend, { description: 'Customer spend without a rate' }),
  },
  { description: 'What the totals of a window lack' },
);

/** Integer minor units of `currency`; Pacific days. */
export const Analytics = Named('Analytics', {
  window: Window,
  currency: Type.String(),
  freshness: Freshness,
  totals: Metrics,
  missing: Missing,
  previous: Metrics,
  previousMissing: Missing,
  isComparable: Type.Boolean({
    description:
      'Most days of the window before are known. Else say no change against it: the store had not been read, or nothing was sold yet',
  }),
  yesterday: Nullable(SeriesDay),
  series: Type.Array(SeriesDay),
  seriesByApp: Type.Array(SeriesByApp),
  byApp: Type.Array(ByApp),
  previousByApp: Type.Array(Keyed),
  byCountry: Type.Array(Keyed),
  byDevice: Type.Array(Keyed),
  byKind: Type.Array(Keyed),
  byProductType: Type.Array(Keyed),
  products: Type.Array(Product),
  currencies: Type.Array(Money),
  unconverted: Type.Array(Money),
  unconvertedSpend: Type.Array(Spend, {
    description: 'What customers paid in currencies without a rate; not in `customerSpendMinor`',
  }),
  daysMissingRates: Type.Integer({
    description: 'Days of the window with proceeds or customer spend without a rate',
  }),
  rates: Type.Optional(
    Type.Object(
      { through: Type.String(), notice: Type.String() },
      { description: 'Where money has no rate because the rates end: when, and what to do' },
    ),
  ),
});
export type Analytics = Static<typeof Analytics>;
