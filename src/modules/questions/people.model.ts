import { type Static, Type } from '@sinclair/typebox';
import { MAX_FUNNEL_STEPS } from '../../query/funnel/model.ts';
import { LIFECYCLE_STATES } from '../../query/lifecycle/model.ts';
import { MAX_PERIODS, MAX_RETENTION_BUCKETS } from '../../query/retention/model.ts';
import { MAX_SERIES_NAMES } from '../../query/series/model.ts';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { FilterParameters } from '../events/index.ts';
import { Question } from './model.ts';
import * as parameters from './resolve/parameters.model.ts';
import { Interval } from './series/question.ts';

const STRICT = { additionalProperties: false };

const Point = { ...DateTime, description: 'The `from` of a point.' };

const PointFigure = Type.Object(
  {
    of: Type.Literal('point'),
    series: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SERIES_NAMES, default: 1 })),
    point: Point,
  },
  { ...STRICT, description: 'Of series and measures: who did it in this interval.' },
);
const StepFigure = Type.Object(
  {
    of: Type.Literal('step'),
    step: Type.Integer({ minimum: 1, maximum: MAX_FUNNEL_STEPS, description: 'From 1.' }),
    dropped: Type.Optional(
      Type.Boolean({ description: 'Those lost between the step before and this one.' }),
    ),
  },
  { ...STRICT, description: 'Of a funnel: who came to this step.' },
);
const CohortFigure = Type.Object(
  {
    of: Type.Literal('cohort'),
    cohortIndex: Type.Integer({
      minimum: 0,
      maximum: MAX_RETENTION_BUCKETS - 1,
      description: 'The place of the cohort, from 0.',
    }),
    period: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_PERIODS,
        description: '0, the default, is the cohort itself.',
      }),
    ),
  },
  { ...STRICT, description: 'Of retention: who came back.' },
);
const StateFigure = Type.Object(
  { of: Type.Literal('state'), point: Point, state: OneOf(LIFECYCLE_STATES) },
  { ...STRICT, description: 'Of lifecycle: who was in this state.' },
);

export const FigureOfAnswer = Type.Union([PointFigure, StepFigure, CohortFigure, StateFigure], {
  title: 'FigureOfAnswer',
  rule: 'must be a figure: of point, step, cohort or state',
});
export type FigureOfAnswer = Static<typeof FigureOfAnswer>;

export const QuestionPeopleBody = Named(
  'QuestionPeopleBody',
  {
    question: Question,
    figure: FigureOfAnswer,
    cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, default: parameters.DEFAULT_PAGE }),
    ),
  },
  {
    ...STRICT,
    examples: [
      {
        question: {
          kind: 'funnel',
          steps: [{ events: ['paywall_viewed'] }, { events: ['purchase_completed'] }],
          days: 30,
        },
        figure: { of: 'step', step: 2, dropped: true },
      },
    ],
  },
);
export type QuestionPeopleBody = Static<typeof QuestionPeopleBody>;

export const PeopleOfQuestion = Named('PeopleOfQuestion', {
  people: Type.Array(Type.Object({ personId: Type.String() }), { description: 'By id.' }),
  nextCursor: Nullable(Type.String()),
});
export type PeopleOfQuestion = Static<typeof PeopleOfQuestion>;

export const SeriesPeopleQuery = Type.Composite([
  parameters.WindowParameters,
  FilterParameters,
  parameters.PageParameters,
  Type.Object({
    interval: Interval,
    name: Type.Optional(parameters.NameParameter('Only events of this name.')),
    point: Point,
  }),
]);
export type SeriesPeopleQuery = Static<typeof SeriesPeopleQuery>;

export const PeopleBehind = Type.Object(
  {
    people: Type.Array(Type.Object({ personId: Type.String() })),
    nextCursor: Nullable(Type.String()),
  },
  { title: 'PeopleBehind' },
);
