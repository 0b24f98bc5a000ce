import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { FunnelReport } from '../funnels/index.ts';

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
  'refunds_rising',
  'country_buys_but_does_not_convert',
] as const;
export type RecommendationCode = (typeof RECOMMENDATION_CODES)[number];

const Metric = Named(
  'RecommendationMetric',
  {
    name: Type.String(),
    value: Type.Number(),
    threshold: Type.Number({ description: 'What the value was held against.' }),
    unit: OneOf(['people', 'events', 'hours', 'days', 'units', 'rate']),
  },
  { description: 'The figure that the recommendation rests on.' },
);
export type Metric = Static<typeof Metric>;

export const Recommendation = Named('Recommendation', {
  code: OneOf(RECOMMENDATION_CODES),
  severity: OneOf(SEVERITIES),
  title: Type.String(),
  detail: Type.String(),
  metric: Metric,
  step: Nullable(Type.Integer({ description: 'The `index` of a step of the default funnel.' })),
});
export type Recommendation = Static<typeof Recommendation>;

export const StoreFigures = Named('InsightStoreFigures', {
  downloads: Type.Number(),
  trials: Type.Number(),
  subscriptionUnits: Type.Number(),
  iapUnits: Type.Number(),
  proceedsMinor: Type.Integer(),
  currency: Type.String(),
  downloadToTrial: Nullable(Type.Number()),
  downloadToPaid: Nullable(Type.Number()),
});
export type StoreFigures = Static<typeof StoreFigures>;

export const Insights = Named('Insights', {
  appId: Type.String(),
  window: Type.Object({ from: Type.String(), to: Type.String(), days: Type.Integer() }),
  store: Nullable(StoreFigures),
  funnel: Nullable(FunnelReport),
  recommendations: Type.Array(Recommendation),
});
export type Insights = Static<typeof Insights>;
