import { type Static, Type } from '@sinclair/typebox';
import { CLOCKS, COHORTS, CRITERIA, MAX_PERIODS } from '../../query/retention/model.ts';
import { Provenance } from '../../query/selection/provenance.ts';
import { ENVIRONMENT_SCOPES } from '../../shared/environment.ts';
import { DateTime, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { Forecast } from '../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { VERDICTS } from '../../shared/statistics/verdict.ts';
import { Hint, NameParameter, WindowParameters } from './parameters.model.ts';

export const RETENTION_INTERVALS = ['day', 'week', 'month'] as const;
export type RetentionInterval = (typeof RETENTION_INTERVALS)[number];

const Count = Type.Integer({ minimum: 0 });

export const RetentionParameters = Type.Composite([
  WindowParameters,
  Type.Object({
    interval: Type.Optional(
      OneOf(RETENTION_INTERVALS, { description: 'Weeks begin on Monday.', whenLeftOut: 'week' }),
    ),
    cohort: Type.Optional(
      OneOf(COHORTS, {
        description:
          'first: by the first event ever; recurring: everybody with an event in the interval.',
        whenLeftOut: 'first',
      }),
    ),
    criterion: Type.Optional(
      OneOf(CRITERIA, {
        description: 'on: came back in that very period; on_or_after: then or later.',
        whenLeftOut: 'on',
      }),
    ),
    clock: Type.Optional(
      OneOf(CLOCKS, {
        description:
          "calendar: days of the app's zone; hours: periods of 24 hours (7 times 24 by week) from each person's own start. Not with interval=month.",
        whenLeftOut: 'calendar',
      }),
    ),
    startName: Type.Optional(NameParameter('The event that starts; any when left out.')),
    returnName: Type.Optional(
      NameParameter('The event that counts as coming back; any when left out.'),
    ),
  }),
]);
export type RetentionParameters = Static<typeof RetentionParameters>;

export const RetentionQuery = Type.Composite([
  RetentionParameters,
  Type.Object({
    periods: Type.Optional(
      QueryInteger(1, MAX_PERIODS, {
        description: "Columns after the cohort's own; all until now when left out.",
      }),
    ),
  }),
]);
export type RetentionQuery = Static<typeof RetentionQuery>;

const Rate = Nullable(Type.Number({ minimum: 0, maximum: 1 }));

const RetentionCell = Nullable(
  Type.Object({
    returned: Nullable(Count),
    rate: Rate,
    rateLow: Rate,
    rateHigh: Rate,
  }),
);

export const RetentionReport = Type.Object(
  {
    window: Type.Object({ from: DateTime, to: DateTime }),
    interval: OneOf(RETENTION_INTERVALS),
    cohort: OneOf(COHORTS),
    criterion: OneOf(CRITERIA),
    clock: OneOf(CLOCKS),
    timezone: Type.String(),
    environment: OneOf(ENVIRONMENT_SCOPES),
    people: Type.Integer({ minimum: 0, description: 'Distinct people of all cohorts.' }),
    minimumPeople: Type.Literal(MINIMUM_PEOPLE),
    verdict: OneOf(VERDICTS, {
      description: 'Of all cohorts together: with fewer than fifty people only sizes are shown.',
    }),
    cohorts: Type.Array(
      Type.Object({
        from: DateTime,
        people: Count,
        verdict: OneOf(VERDICTS),
        partial: Type.Optional(
          Type.Literal(true, { description: 'The interval of the cohort is not over.' }),
        ),
        periods: Type.Array(RetentionCell, {
          description:
            'From period 1 on; null where the period is not over. Fewer than fifty people: counts without a rate.',
        }),
      }),
    ),
    mean: Type.Array(RetentionCell, {
      description:
        'By period: those who returned ÷ those of the cohorts that finished it, and no rate of fewer than fifty.',
    }),
    computedAt: DateTime,
    ...Provenance.properties,
    forecast: Type.Optional(Forecast),
    hint: Hint,
  },
  { title: 'RetentionReport' },
);
export type RetentionReport = Static<typeof RetentionReport>;
export type RetentionCell = Static<typeof RetentionCell>;
