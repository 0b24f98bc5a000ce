import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
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
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { CurrencyParameter } from '../../sales/index.ts';
import { StoreEnvironmentParameter } from '../overview/model.ts';
import * as revenue from '../revenue/model.ts';

export const ANCHORS = ['first_seen', 'first_trial', 'first_purchase'] as const;
export type Anchor = (typeof ANCHORS)[number];
export const COHORT_BREAKDOWNS = [
  ...['platform', 'country', 'appVersion', 'arm', 'product', 'offering'],
] as const;
export type CohortBreakdown = (typeof COHORT_BREAKDOWNS)[number];

export const DEFAULT_COHORT_DAYS: Readonly<Record<revenue.RevenueInterval, number>> = {
  day: 28,
  week: 84,
  month: 365,
};
const DAYS_MAX = 1_900;

export const CohortsQuery = Type.Object({
  by: Type.Optional(
    OneOf(ANCHORS, {
      description:
        'What puts a person into a cohort: the first event of clients or the first transaction, whichever came earlier; the first free trial; the first payment.',
      whenLeftOut: 'first_seen',
    }),
  ),
  interval: revenue.IntervalParameter('month'),
  from: Type.Optional(WindowDay),
  to: Type.Optional(WindowDay),
  days: Type.Optional(
    QueryInteger(1, DAYS_MAX, {
      description:
        'Days that end today, whose intervals are the cohorts; 28 by day, 84 by week, 365 by month when left out. Not together with `from` or `to`.',
    }),
  ),
  timezone: revenue.TimezoneParameter,
  currency: CurrencyParameter,
  environment: StoreEnvironmentParameter,
  breakdown: Type.Optional(
    OneOf(COHORT_BREAKDOWNS, {
      description:
        "platform, country and appVersion of the person's first event; arm of an experiment; product, or the offering in which it was bought, of the first trial, payment or, by first_seen, transaction.",
    }),
  ),
  experimentId: Type.Optional(Text(1, 60, { description: 'Of `breakdown=arm`.' })),
});
export type CohortsInput = Static<typeof CohortsQuery>;

const Count = Type.Integer({ minimum: 0 });
const Share = Nullable(Type.Number({ minimum: 0, maximum: 1 }));
const Mean = Nullable(Type.Number({ description: 'Minor units, with their fraction.' }));

const Cell = Named('CohortCell', {
  netMinor: Nullable(
    Type.Integer({
      description:
        'What the cohort paid until the end of the period, less what was given back until then.',
    }),
  ),
  perPersonMinor: Mean,
  perPersonLow: Mean,
  perPersonHigh: Mean,
  payers: Type.Integer({ minimum: 0, description: 'People who paid until the end of the period.' }),
  payingShare: Share,
  payingShareLow: Share,
  payingShareHigh: Share,
  perPayerMinor: Mean,
  perPayerLow: Mean,
  perPayerHigh: Mean,
  subscriptions: Type.Object({
    begun: Type.Integer({ minimum: 0, description: 'Paid for the first time until then.' }),
    active: Type.Integer({ minimum: 0, description: 'Those of them that are paid at its end.' }),
    share: Share,
    shareLow: Share,
    shareHigh: Share,
  }),
});
export type CohortCell = Static<typeof Cell>;

const Periods = Type.Array(Nullable(Cell), {
  description:
    "From the cohort's own interval (period 0) on, each with all before it; null where the period is not over.",
});

const Cohort = Named('RevenueCohort', {
  from: Day,
  to: Type.String({ format: 'date', description: 'The last day, included.' }),
  isComplete: Type.Boolean({ description: 'False for the interval that is not over.' }),
  people: Count,
  netMinor: Nullable(
    Type.Integer({ description: 'Until now, the unfinished period included; null under fifty.' }),
  ),
  periods: Periods,
});
export type RevenueCohort = Static<typeof Cohort>;

const Pooled = Named(
  'PooledCohorts',
  { people: Count, periods: Periods },
  { description: 'All cohorts that finished a period, together.' },
);
export type PooledCohorts = Static<typeof Pooled>;

const Group = Named('CohortGroup', {
  value: Nullable(Type.String({ description: 'Null for all other values.' })),
  cohorts: Type.Array(Cohort),
  pooled: Pooled,
});

const SurvivalPoint = Named('SurvivalPoint', {
  days: Type.Integer({ minimum: 0, description: 'Since the first payment.' }),
  atRisk: Type.Integer({
    minimum: 0,
    description: 'Subscriptions that are followed for that long and were paid until then.',
  }),
  ended: Type.Integer({ minimum: 0, description: 'Ended until then.' }),
  survival: Share,
  low: Share,
  high: Share,
});
export type SurvivalPoint = Static<typeof SurvivalPoint>;

const Nobody = Type.Object(
  {
    purchases: Count,
    netMinor: Type.Integer(),
    purchasesShare: Share,
    netShare: Nullable(Type.Number()),
  },
  { description: 'Purchases that nobody is known for: no user, account or device.' },
);

const Accounted = Named(
  'AccountedRevenue',
  {
    totalMinor: Type.Integer({
      description: 'Net revenue from the first cohort’s beginning until now: the sum of the rest.',
    }),
    cohortsMinor: Type.Integer({ description: 'Of the cohorts, those under fifty included.' }),
    earlierMinor: Type.Integer({ description: 'Of people of earlier cohorts.' }),
    laterMinor: Type.Integer({ description: 'Of people of later cohorts.' }),
    beforeMinor: Type.Integer({
      description: 'What people of the cohorts paid before their first trial.',
    }),
    neverMinor: Type.Integer({ description: 'Of people without a trial or payment to begin by.' }),
    nobody: Nobody,
  },
  { description: 'Where all of the money is: the cohorts and the rest add up to the revenue.' },
);
export type AccountedRevenue = Static<typeof Accounted>;

export const RevenueCohorts = Named('RevenueCohorts', {
  appId: Type.String(),
  by: OneOf(ANCHORS),
  interval: OneOf(revenue.REVENUE_INTERVALS),
  timezone: Type.String(),
  currency: Type.String(),
  environment: OneOf(STORE_ENVIRONMENTS),
  breakdown: Nullable(OneOf(COHORT_BREAKDOWNS)),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  cohorts: Type.Array(Cohort),
  pooled: Pooled,
  groups: Nullable(
    Type.Array(Group, { description: 'Six values with most people, and all others.' }),
  ),
  survival: Type.Array(SurvivalPoint, {
    description:
      'How long subscriptions of the cohorts are paid without a gap, by Kaplan and Meier: those that still run count for as long as they are followed. Intervals: exponential Greenwood, 95 %. Null where fewer than fifty are at risk.',
  }),
  money: Accounted,
  unconverted: Type.Array(
    Type.Object({ currency: Type.String(), purchases: Count }, { title: 'UnconvertedPurchases' }),
    { description: 'Purchases without an exchange rate: they count as payments of nothing.' },
  ),
  withoutPrice: Count,
  historyPending: Count,
  computedAt: DateTime,
  dataThrough: Nullable(
    Type.String({ format: 'date-time', description: 'Of the events, where they were asked.' }),
  ),
});
export type RevenueCohorts = Static<typeof RevenueCohorts>;
