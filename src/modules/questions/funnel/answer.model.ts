import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { ConversionTimes } from '../../../query/funnel/model.ts';
import { ENVIRONMENT_SCOPES } from '../../../shared/environment.ts';
import { eachOf, FILTER_FIELDS } from '../../../shared/event-fields.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { FunnelWhere } from '../../funnels/index.ts';
import { COMMON } from '../resolve/answered.model.ts';
import { Bounds, Groups } from '../resolve/breakdown.model.ts';
import { OfSegment } from '../resolve/segments.model.ts';
import { Forecast } from '../../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { STEP_VERDICTS, VERDICTS } from '../../../shared/statistics/verdict.ts';

const described = <T extends TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
});

const People = Type.Integer({ minimum: 0, description: 'People, each counted once.' });
const Rate = Nullable(Type.Number({ minimum: 0, maximum: 1 }));
const Seconds = Nullable(Type.Number({ minimum: 0 }));
const Verdict = OneOf(VERDICTS, {
  description: `Fewer than ${MINIMUM_PEOPLE} people in step 1: no figure is drawn.`,
});

export const StepFigures = Named('FunnelStepFigures', {
  index: Type.Integer({ minimum: 1, maximum: 12 }),
  event: Type.String(),
  label: Type.String(),
  where: Nullable(FunnelWhere),
  people: Nullable(People),
  rateFromPrevious: Rate,
  rateFromStart: Rate,
  rateFromPreviousLow: described(Rate, 'Lower end of the Wilson 95 % interval.'),
  rateFromPreviousHigh: described(Rate, 'Upper end of the Wilson 95 % interval.'),
  medianSecondsFromPrevious: Seconds,
  medianSecondsFromStart: Seconds,
  dropped: described(
    Nullable(Type.Integer({ minimum: 0 })),
    'People of the step before who did not reach this one; 0 for step 1.',
  ),
  verdict: Nullable(OneOf(STEP_VERDICTS)),
});
export type StepFigures = Static<typeof StepFigures>;

export const OverallFigures = Named('FunnelFigures', {
  rate: Rate,
  rateLow: Rate,
  rateHigh: Rate,
  medianSeconds: Seconds,
});

/** All figures, or none for a group too small. */
export const GroupFigures = Type.Object({
  people: People,
  verdict: Verdict,
  steps: Type.Array(StepFigures),
  overall: OverallFigures,
});
export type GroupFigures = Static<typeof GroupFigures>;

const Difference = Nullable(Type.Number({ minimum: -1, maximum: 1 }));

const ComparedRates = Type.Object({
  now: Rate,
  before: Rate,
  difference: described(
    Difference,
    'now less before; null where fewer than fifty people came as far as the step before, in either window.',
  ),
  low: described(Difference, 'Lower end of the 95 % interval of the difference (Newcombe).'),
  high: Difference,
});
export type ComparedRates = Static<typeof ComparedRates>;

export const FunnelComparison = Named('FunnelComparison', {
  window: Type.Object({ from: DateTime, to: DateTime }),
  people: described(People, 'In step 1 of the window before.'),
  verdict: OneOf(VERDICTS, { description: 'Of the window before.' }),
  steps: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 1, maximum: 12 }),
      people: described(Nullable(People), 'In the window before.'),
      fromPrevious: Nullable(ComparedRates),
      fromStart: Nullable(ComparedRates),
    }),
    { description: 'Null where either window has fewer than fifty people in step 1.' },
  ),
  notice: Type.Optional(Type.String({ description: 'Why nothing is compared.' })),
});
export type FunnelComparison = Static<typeof FunnelComparison>;

const Trend = Type.Array(
  Type.Object({
    from: DateTime,
    people: People,
    verdict: Verdict,
    rate: Rate,
    rateLow: Rate,
    rateHigh: Rate,
    partial: Type.Optional(
      described(Type.Boolean(), 'The window cuts the interval, or it is not over yet.'),
    ),
  }),
);

export const FunnelReport = Named('FunnelReport', {
  funnelId: Type.String(),
  appId: Type.String(),
  name: Type.String(),
  window: Type.Object({ from: DateTime, to: DateTime, days: Type.Number({ minimum: 0 }) }),
  conversionWindowHours: Type.Integer({ minimum: 1, maximum: 2160 }),
  timezone: Type.String(),
  filters: Type.Object({
    ...eachOf(FILTER_FIELDS, () => Nullable(Type.String())),
    property: Type.Optional(FunnelWhere),
    people: Type.Optional(Type.Literal('new')),
  }),
  environment: Type.Optional(OneOf(ENVIRONMENT_SCOPES)),
  people: People,
  maturePeople: described(People, 'Entrants whose time to convert is over.'),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  verdict: Verdict,
  computedAt: DateTime,
  dataThrough: DateTime,
  forecast: Type.Optional(Forecast),
  hint: Type.Optional(
    Type.String({
      description:
        'What the report names and the app never sent: of steps without people, of the filter and the breakdown by a property; with the nearest that it did send.',
    }),
  ),
  steps: Type.Array(StepFigures),
  overall: OverallFigures,
  comparison: Type.Optional(FunnelComparison),
  breakdown: Nullable(
    Type.Object({
      by: Type.String(),
      values: Type.Array(
        Type.Composite([
          Type.Object({
            value: Type.String(),
            rest: Type.Optional(
              Type.Literal(true, { description: 'All other values, under the name `other`.' }),
            ),
          }),
          GroupFigures,
        ]),
      ),
    }),
  ),
  trend: Type.Optional(Trend),
});
export type FunnelReport = Static<typeof FunnelReport>;

const AnsweredStep = Type.Omit(StepFigures, ['index', 'event', 'label', 'where'], {
  title: 'AnsweredStep',
});

const AnswerSteps = Type.Object({
  people: People,
  verdict: Verdict,
  steps: Type.Array(AnsweredStep, {
    description: 'In the order of the question.',
  }),
  overall: OverallFigures,
});

export const FunnelQuestionAnswer = Named('FunnelAnswer', {
  kind: Type.Literal('funnel'),
  window: Type.Object({ from: DateTime, to: DateTime, days: Type.Number({ minimum: 0 }) }),
  conversionWindowHours: Type.Integer({ minimum: 1 }),
  ...COMMON,
  ...AnswerSteps.properties,
  bounds: Bounds,
  maturePeople: Type.Integer({
    minimum: 0,
    description: 'Entrants whose time to convert is over.',
  }),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  breakdown: Nullable(Groups(AnswerSteps)),
  trend: Type.Optional(Trend),
  distribution: Type.Optional(
    Type.Union([ConversionTimes, Type.Null()], {
      description: `Of those who finished; null of fewer than ${MINIMUM_PEOPLE}.`,
    }),
  ),
  segments: Type.Optional(Type.Array(Type.Composite([OfSegment, AnswerSteps]))),
});
export type FunnelQuestionAnswer = Static<typeof FunnelQuestionAnswer>;

export const PeoplePage = Named('FunnelPeoplePage', {
  people: Type.Array(Type.Object({ personId: Type.String(), reachedAt: DateTime })),
  nextCursor: Nullable(Type.String()),
});
export type PeoplePage = Static<typeof PeoplePage>;
