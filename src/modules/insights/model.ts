import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Day, Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { FunnelReport, GroupFigures } from '../questions/index.ts';
import { VERDICTS } from '../../shared/statistics/verdict.ts';

export const DEFAULT_INSIGHT_DAYS = 30;

export const InsightsQuery = Type.Object({
  days: Type.Optional(
    QueryInteger(1, 400, {
      description: 'Pacific days, ending yesterday.',
      whenLeftOut: DEFAULT_INSIGHT_DAYS,
    }),
  ),
});
export type InsightsQuery = Static<typeof InsightsQuery>;

export const SEVERITIES = ['info', 'warn', 'act'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const RECOMMENDATION_CODES = [
  'events_not_arriving',
  'store_days_missing',
  'too_few_people',
  'biggest_leak',
  'paywall_before_value',
  'trial_not_offered',
  'conversion_falling',
  'version_reviews',
  'version_conversion',
  'refunds_rising',
  'country_buys_but_does_not_convert',
  'consent_rescinded',
  'external_purchase_token',
] as const;
export type RecommendationCode = (typeof RECOMMENDATION_CODES)[number];

const Metric = Named(
  'RecommendationMetric',
  {
    name: Type.String(),
    value: Type.Number(),
    threshold: Type.Number({ description: 'What the value was held against.' }),
    unit: OneOf(['people', 'events', 'hours', 'days', 'units', 'rate', 'stars']),
  },
  { description: 'The figure that the recommendation rests on.' },
);
export type Metric = Static<typeof Metric>;

const Rate = Type.Number({ minimum: 0, maximum: 1 });

const VersionRate = Named('VersionRate', {
  appVersion: Type.String(),
  firstSeenOn: Nullable(
    Type.Unsafe<string>({
      ...Day,
      description:
        "Of the app's timezone, as its mark says; null where it was there before the window, or never of a twentieth of a day's people.",
    }),
  ),
  reachedBefore: Type.Integer({ description: 'People who reached the step before.' }),
  people: Type.Integer({ description: 'Those of them who reached the step.' }),
  rate: Rate,
  rateLow: Rate,
  rateHigh: Rate,
});
export type VersionRate = Static<typeof VersionRate>;

const VersionComparison = Named(
  'VersionComparison',
  {
    worse: VersionRate,
    before: VersionRate,
    later: Nullable(VersionRate),
    hasRecovered: Type.Boolean({
      description: '`later` is surely better than `worse` again: the intervals do not touch.',
    }),
    peopleYesterday: Type.Integer({
      description:
        "With an event of the worse version, on the last whole day of the app's timezone.",
    }),
  },
  {
    description:
      'Of `version_conversion`: the version that lost, the one before it, and the later one that came back, else the newest with people enough.',
  },
);
export type VersionComparison = Static<typeof VersionComparison>;

export const Recommendation = Named('Recommendation', {
  code: OneOf(RECOMMENDATION_CODES),
  severity: OneOf(SEVERITIES),
  title: Type.String(),
  detail: Type.String(),
  metric: Metric,
  step: Nullable(Type.Integer({ description: 'The `index` of a step of the default funnel.' })),
  comparison: Type.Optional(VersionComparison),
});
export type Recommendation = Static<typeof Recommendation>;

const Money = Named('InsightUnconverted', {
  currency: Type.String(),
  proceedsMinor: Type.Integer(),
});

export const StoreFigures = Named('InsightStoreFigures', {
  downloads: Type.Number(),
  trials: Type.Number(),
  subscriptionUnits: Type.Number({ description: 'Renewals included.' }),
  newSubscriptionUnits: Nullable(
    Type.Number({
      description: 'Without renewals; null where a report does not say which are new.',
    }),
  ),
  iapUnits: Type.Number(),
  paidUnits: Type.Number({
    description: 'Everything that money was paid for: paid downloads, in-app purchases, renewals.',
  }),
  refunds: Type.Number({ description: 'Of the same things, on the days of the refunds.' }),
  previousPaidUnits: Type.Number({ description: 'In the window before.' }),
  previousRefunds: Type.Number({ description: 'In the window before.' }),
  proceedsMinor: Type.Integer(),
  currency: Type.String(),
  unconverted: Type.Array(Money, {
    description: 'Proceeds without an exchange rate, which `proceedsMinor` lacks.',
  }),
  missingDays: Type.Array(Type.String(), {
    description: 'Days of the window without sales or a confirmed zero, which all figures lack.',
  }),
  purchasesByCountry: Type.Array(Type.Object({ country: Type.String(), units: Type.Number() }), {
    description: 'In-app purchases and subscriptions, by the country of the store account.',
  }),
  downloadToTrial: Nullable(Type.Number()),
  downloadToPaid: Nullable(
    Type.Number({ description: 'New subscriptions by downloads; renewals are no conversions.' }),
  ),
});
export type StoreFigures = Static<typeof StoreFigures>;

export const InsightEvents = Named('InsightEvents', {
  people: Type.Integer({ description: 'With an event in as many days, up to now.' }),
  firstEventAt: Nullable(DateTime),
  lastEventAt: Nullable(DateTime),
  lastDay: Type.Integer({ description: 'Events in the 24 hours before now.' }),
  weekBefore: Type.Integer({ description: 'Events in the week before the silence, if any.' }),
});
export type InsightEvents = Static<typeof InsightEvents>;

const Group = Type.Object(GroupFigures.properties);

export const JudgedFunnel = Named(
  'JudgedFunnel',
  {
    window: Type.Object({
      from: DateTime,
      to: DateTime,
      previousFrom: DateTime,
      previousTo: DateTime,
    }),
    ...GroupFigures.properties,
    previous: Group,
    byCountry: Type.Array(
      Type.Object({
        country: Type.String(),
        people: Type.Integer(),
        rate: Nullable(Type.Number()),
        rateHigh: Nullable(Type.Number()),
      }),
    ),
    paywallFirst: Nullable(Type.Object({ viewers: Type.Integer(), finishedAfter: Type.Integer() })),
  },
  {
    description:
      'The default funnel of the people whose time to convert is over, and of the window of the same length before: what recommendations rest on.',
  },
);
export type JudgedFunnel = Static<typeof JudgedFunnel>;

const InsightVersions = Named(
  'InsightVersions',
  {
    window: Type.Object({ from: DateTime, to: DateTime }),
    hours: Type.Integer({ description: 'Time that each of them had, from the first entry on.' }),
    figures: Type.Array(
      Type.Object({
        appVersion: Type.String(),
        people: Type.Integer({ minimum: 0 }),
        verdict: OneOf(VERDICTS),
        steps: Type.Array(
          Type.Object({
            index: Type.Integer({ minimum: 1 }),
            people: Nullable(Type.Integer({ minimum: 0 })),
            rateFromPrevious: Nullable(Rate),
            rateFromPreviousLow: Nullable(Rate),
            rateFromPreviousHigh: Nullable(Rate),
          }),
        ),
      }),
      { description: 'Oldest version first, of the twenty with most people.' },
    ),
  },
  {
    description:
      'The default funnel of people first seen in the window, by the version with which each entered it: what `version_conversion` rests on.',
  },
);
export type InsightVersions = Static<typeof InsightVersions>;

const InsightReviews = Named(
  'InsightReviews',
  {
    appVersion: Type.String(),
    reviews: Type.Integer(),
    mean: Type.Number(),
    before: Type.Object({
      appVersion: Type.String(),
      reviews: Type.Integer(),
      mean: Type.Number(),
      pValue: Type.Number(),
      isBeyondChance: Type.Boolean(),
    }),
  },
  {
    description:
      'The newest version with 20 written reviews, where its mean differs from that of the version before beyond chance; else null.',
  },
);

export const Insights = Named('Insights', {
  appId: Type.String(),
  window: Type.Object({
    from: Type.String(),
    to: Type.String(),
    days: Type.Integer(),
    fromAt: DateTime,
    toAt: DateTime,
    timezone: Type.String(),
  }),
  events: InsightEvents,
  store: Nullable(StoreFigures),
  funnel: Nullable(FunnelReport),
  judged: Nullable(JudgedFunnel),
  versions: Nullable(InsightVersions),
  reviews: Nullable(InsightReviews),
  recommendations: Type.Array(Recommendation),
  unchecked: Type.Array(OneOf(RECOMMENDATION_CODES), {
    description:
      'Rules whose figures were not there in time, so that nothing of them above says nothing: ask again.',
  }),
});
export type Insights = Static<typeof Insights>;
