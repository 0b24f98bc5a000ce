import { type Static, Type } from '@sinclair/typebox';
import { MAX_EXACT_VALUES, Measure, RELATIVE_ERROR } from '../../../query/measures/model.ts';
import { CALENDAR_INTERVALS } from '../../../shared/calendar.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { COMMON } from '../resolve/answered.model.ts';
import { BreakdownFacts } from '../resolve/breakdown.model.ts';
import { ComparedWindow } from '../series/answer.model.ts';

const Value = Nullable(
  Type.Number({
    description: `Lengths are seconds. Null of nothing; ratios and statistics also of fewer than ${MINIMUM_PEOPLE} people.`,
  }),
);
const People = Type.Integer({ minimum: 0, description: 'Distinct people behind the value.' });
const Counted = Type.Integer({
  minimum: 0,
  description: 'Events, sessions, values or people that the value is of.',
});

export const MeasuredPoint = Named('MeasuredPoint', {
  from: DateTime,
  ...{ value: Value, people: People, count: Counted },
  previousValue: Type.Optional(Value),
  partial: Type.Optional(
    Type.Literal(true, {
      description: 'The interval is not over; it is in no total and no change.',
    }),
  ),
});

const MeasuredTotals = Type.Object(
  {
    ...{ value: Value, people: People, count: Counted, previousValue: Value },
    change: Nullable(
      Type.Number({
        description:
          'Against the window before: 0.1 is ten percent more. Null without comparison, where fewer than fifty people were before, and where the value before was not above zero.',
      }),
    ),
  },
  { description: 'Of all intervals that are over together: not the sum of the points.' },
);

const MeasuredFigures = Type.Object({
  totals: MeasuredTotals,
  points: Type.Array(MeasuredPoint),
});

const MeasuredValue = Type.Composite([
  Type.Object({
    key: Type.String({ description: 'The value; `other` for all other values.' }),
    rest: Type.Optional(Type.Literal(true)),
  }),
  MeasuredFigures,
]);

export const MeasuredSeries = Named('MeasuredSeries', {
  window: ComparedWindow,
  interval: OneOf(CALENDAR_INTERVALS),
  ...COMMON,
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  ...MeasuredFigures.properties,
  relativeError: Nullable(
    Type.Literal(RELATIVE_ERROR, {
      description: `Null: all values are exact. Medians and p90 of more than ${MAX_EXACT_VALUES.toLocaleString('en')} values may be off by this share of them.`,
    }),
  ),
  series: Type.Optional(
    Type.Array(MeasuredValue, {
      description: 'Of each value of the breakdown; they do not add up to the totals.',
    }),
  ),
  notice: Type.Optional(Type.String({ description: 'Why no change is given.' })),
});
export type MeasuredSeries = Static<typeof MeasuredSeries>;

export const MeasuresQuestionAnswer = Type.Composite(
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
export type MeasuresQuestionAnswer = Static<typeof MeasuresQuestionAnswer>;
