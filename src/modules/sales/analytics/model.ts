import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable, OneOf, QueryInteger, WindowDay } from '../../../shared/schema.ts';
import { STORES } from '../../../shared/stores.ts';
import { Text } from '../../../shared/text.ts';
import { CurrencyParameter } from '../currency/model.ts';
import { UNATTRIBUTED } from './fold.ts';
import { Freshness } from './freshness.ts';
import { METRIC_FIELDS, Metrics } from './metrics.ts';
import { KINDS } from './product-types.ts';
import { DAYS_MAX, DEFAULT_DAYS, Window } from './window.ts';

export const AnalyticsQuery = Type.Object({
  from: Type.Optional(WindowDay),
  to: Type.Optional(WindowDay),
  days: Type.Optional(QueryInteger(1, DAYS_MAX, { whenLeftOut: DEFAULT_DAYS })),
  currency: CurrencyParameter,
  store: Type.Optional(
    OneOf([...STORES, 'all'], {
      description:
        'The App Store where it is left out. `google_play`: its own days, of UTC. `all`: both added up, each by its own days; a day is known once both stores have told about it.',
    }),
  ),
  storeAppId: Type.Optional(
    Text(1, 200, {
      description: `One of GET /v1/store/apps, a package name of Google Play, or \`${UNATTRIBUTED}\``,
    }),
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

const GooglePlayFigures = Named(
  'GooglePlayFigures',
  {
    timeZone: Type.Literal('UTC'),
    earningsThrough: Nullable(
      Type.String({
        description:
          'YYYY-MM, Pacific. Proceeds of months up to this one are those that Google pays out. Those of younger months are estimated: the price before tax less the fee, 15 % of subscriptions and of the first million dollars, else 30 %.',
      }),
    ),
    installsThrough: Nullable(
      Type.String({ description: 'Last day with installs; `downloads` are daily user installs.' }),
    ),
  },
  { description: 'How far the reports of Google Play go; missing in answers without it' },
);
export type GooglePlayFigures = Static<typeof GooglePlayFigures>;

/** Integer minor units of `currency`; days of Pacific time, of Google Play alone of UTC. */
export const Analytics = Named('Analytics', {
  window: Window,
  currency: Type.String(),
  freshness: Freshness,
  googlePlay: Type.Optional(GooglePlayFigures),
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
