import { type Static, Type } from '@sinclair/typebox';
import { CLOCKS, COHORTS, CRITERIA } from '../../../query/retention/model.ts';
import { DateTime, Nullable, OneOf } from '../../../shared/schema.ts';
import { Forecast } from '../../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { VERDICTS } from '../../../shared/statistics/verdict.ts';
import { COMMON } from '../resolve/answered.model.ts';
import { Bounds, Groups } from '../resolve/breakdown.model.ts';
import { Hint } from '../resolve/parameters.model.ts';
import { OfSegment } from '../resolve/segments.model.ts';
import { RETENTION_INTERVALS } from './question.ts';

const Count = Type.Integer({ minimum: 0 });
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
    ...COMMON,
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
    forecast: Type.Optional(Forecast),
    hint: Hint,
  },
  { title: 'RetentionReport' },
);
export type RetentionReport = Static<typeof RetentionReport>;
export type RetentionCell = Static<typeof RetentionCell>;

const CohortFigures = Type.Pick(RetentionReport, ['people', 'verdict', 'cohorts', 'mean']);

export const RetentionQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('retention') }),
    Type.Omit(RetentionReport, ['hint']),
    Type.Object({
      breakdown: Type.Optional(Groups(CohortFigures)),
      bounds: Bounds,
      segments: Type.Optional(Type.Array(Type.Composite([OfSegment, CohortFigures]))),
    }),
  ],
  { title: 'RetentionAnswer' },
);
export type RetentionQuestionAnswer = Static<typeof RetentionQuestionAnswer>;
