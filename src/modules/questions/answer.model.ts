import { type Static, type TObject, Type } from '@sinclair/typebox';
import { ConversionTimes } from '../../query/funnel/model.ts';
import { Measure } from '../../query/measures/model.ts';
import { Provenance } from '../../query/selection/provenance.ts';
import { ENVIRONMENT_SCOPES } from '../../shared/environment.ts';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import {
  EventSeries,
  LifecycleReport,
  MeasuredSeries,
  PathsReport,
  RetentionReport,
} from '../explore/index.ts';
import { OverallFigures, StepFigures } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { VERDICTS } from '../../shared/statistics/verdict.ts';
import { BreakdownFacts } from './breakdown.model.ts';
import { OfSegment } from './segments.model.ts';

const Count = Type.Integer({ minimum: 0 });
const Rate = Nullable(Type.Number({ minimum: 0, maximum: 1 }));
const Verdict = OneOf(VERDICTS, {
  description: `Fewer than ${MINIMUM_PEOPLE} people in step 1: no figure is drawn.`,
});

export const SeriesQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('series') }),
    Type.Omit(EventSeries, ['active', 'forecast', 'hint', 'series']),
    Type.Object({
      series: Type.Array(
        Type.Composite([
          Type.Index(EventSeries, ['series']).items,
          Type.Object({
            crossed: Type.Optional(
              Type.Object(
                { key: Type.String(), rest: Type.Optional(Type.Literal(true)) },
                { description: 'The value of the second dimension.' },
              ),
            ),
          }),
        ]),
      ),
      breakdown: Type.Optional(BreakdownFacts),
    }),
  ],
  {
    title: 'SeriesAnswer',
    description:
      'Without breakdown the series are in the order of the question, and `key` says their events. Of two dimensions each pair is a series, and only pairs with events.',
  },
);

const AnsweredStep = Type.Omit(StepFigures, ['index', 'event', 'label', 'where'], {
  title: 'AnsweredStep',
});

const AnswerSteps = Type.Object({
  people: Count,
  verdict: Verdict,
  steps: Type.Array(AnsweredStep, {
    description: 'In the order of the question.',
  }),
  overall: OverallFigures,
});

const Bounds = Type.Optional(
  Type.Array(Type.Number(), { description: 'Where the ranges of the breakdown begin.' }),
);

const Groups = <T extends TObject>(figures: T) =>
  Type.Array(
    Type.Composite([
      Type.Object({ value: Nullable(Type.String({ description: 'Null for all other values.' })) }),
      figures,
    ]),
  );

export const FunnelQuestionAnswer = Named('FunnelAnswer', {
  kind: Type.Literal('funnel'),
  window: Type.Object({ from: DateTime, to: DateTime, days: Type.Number({ minimum: 0 }) }),
  conversionWindowHours: Type.Integer({ minimum: 1 }),
  timezone: Type.String(),
  environment: OneOf(ENVIRONMENT_SCOPES),
  ...AnswerSteps.properties,
  bounds: Bounds,
  maturePeople: Type.Integer({
    minimum: 0,
    description: 'Entrants whose time to convert is over.',
  }),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  breakdown: Nullable(Groups(AnswerSteps)),
  trend: Type.Optional(
    Type.Array(
      Type.Object({
        from: DateTime,
        people: Count,
        verdict: Verdict,
        rate: Rate,
        rateLow: Rate,
        rateHigh: Rate,
        partial: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  distribution: Type.Optional(
    Type.Union([ConversionTimes, Type.Null()], {
      description: `Of those who finished; null of fewer than ${MINIMUM_PEOPLE}.`,
    }),
  ),
  segments: Type.Optional(Type.Array(Type.Composite([OfSegment, AnswerSteps]))),
  computedAt: DateTime,
  ...Provenance.properties,
});
export type FunnelQuestionAnswer = Static<typeof FunnelQuestionAnswer>;

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

const MeasuresQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('measures'), measure: Measure }),
    MeasuredSeries,
    Type.Object({
      breakdown: Type.Optional(BreakdownFacts),
      others: Type.Optional(
        Type.Array(
          Type.Composite([
            Type.Object({ measure: Measure }),
            Type.Pick(MeasuredSeries, ['totals', 'points', 'series', 'relativeError']),
          ]),
          { description: 'Of the further measures, in the order of the question.' },
        ),
      ),
    }),
  ],
  { title: 'MeasuresAnswer' },
);

const LifecycleQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('lifecycle') }),
    Type.Omit(LifecycleReport, ['forecast', 'hint']),
    Type.Object({
      breakdown: Type.Optional(Groups(Type.Pick(LifecycleReport, ['people', 'verdict', 'points']))),
      bounds: Bounds,
    }),
  ],
  { title: 'LifecycleAnswer' },
);

const PathsQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('paths') }),
    Type.Omit(PathsReport, ['name', 'forecast', 'hint']),
  ],
  { title: 'PathsAnswer' },
);

const SHOWN = { from: '2026-11-14T00:00:00.000Z', to: '2026-11-21T09:30:00.001Z' };
const TOTALS = { people: 212, events: 340, previousPeople: 188, previousEvents: 301 };
const CHANGES = { peopleChange: 0.1277, eventsChange: 0.1296 };
const POINT = { from: SHOWN.from, people: 212, events: 340 };
const EXAMPLE = {
  kind: 'series',
  window: {
    ...SHOWN,
    finishedThrough: '2026-11-21T00:00:00.000Z',
    previousFrom: '2026-11-07T00:00:00.000Z',
  },
  ...{ interval: 'week', timezone: 'Europe/Berlin', environment: 'production' },
  ...{ totals: { ...TOTALS, ...CHANGES }, points: [POINT] },
  series: [{ key: 'searched', totals: { ...TOTALS, ...CHANGES }, points: [POINT] }],
  computedAt: '2026-11-21T09:30:00.000Z',
  dataThrough: '2026-11-21T09:29:58.000Z',
  countedFrom: 7609,
};

export const Answer = Type.Union(
  [
    SeriesQuestionAnswer,
    FunnelQuestionAnswer,
    RetentionQuestionAnswer,
    MeasuresQuestionAnswer,
    LifecycleQuestionAnswer,
    PathsQuestionAnswer,
  ],
  { title: 'Answer', examples: [EXAMPLE] },
);
export type Answer = Static<typeof Answer>;
