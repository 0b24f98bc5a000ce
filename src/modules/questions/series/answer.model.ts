import { type Static, Type } from '@sinclair/typebox';
import { CALENDAR_INTERVALS } from '../../../shared/calendar.ts';
import { DateTime, Nullable, OneOf } from '../../../shared/schema.ts';
import { Forecast } from '../../../shared/statistics/forecast.ts';
import { COMMON } from '../resolve/answered.model.ts';
import { BreakdownFacts } from '../resolve/breakdown.model.ts';
import { Hint } from '../resolve/parameters.model.ts';

const Count = Type.Integer({ minimum: 0 });

export const ComparedWindow = Type.Object({
  from: DateTime,
  to: DateTime,
  finishedThrough: Type.String({
    format: 'date-time',
    description: 'Where the last interval that is over ends: totals and changes end here.',
  }),
  previousFrom: Nullable(DateTime),
});

const Change = Nullable(
  Type.Number({
    description:
      'Against the window before: 0.1 is ten percent more. Null without comparison and where fewer than fifty people were active before.',
  }),
);

const SeriesTotals = Type.Object({
  people: Type.Integer({
    minimum: 0,
    description: 'Distinct people of the intervals that are over.',
  }),
  events: Count,
  previousPeople: Nullable(Count),
  previousEvents: Nullable(Count),
  peopleChange: Change,
  eventsChange: Change,
});
export type SeriesTotals = Static<typeof SeriesTotals>;

const SeriesPoint = Type.Object({
  from: DateTime,
  people: Type.Integer({ minimum: 0, description: 'Distinct people of the interval.' }),
  events: Count,
  previousPeople: Type.Optional(Count),
  previousEvents: Type.Optional(Count),
  partial: Type.Optional(
    Type.Literal(true, {
      description: 'The interval is not over; it is in no total and no change.',
    }),
  ),
});

const SeriesFigures = Type.Object({ totals: SeriesTotals, points: Type.Array(SeriesPoint) });
export type SeriesFigures = Static<typeof SeriesFigures>;

const Ratio = Nullable(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'DAU ÷ MAU of the day, the mean over the days that are over and have anybody; null where fewer than fifty people were active.',
  }),
);

export const EventSeries = Type.Object(
  {
    window: ComparedWindow,
    interval: OneOf(CALENDAR_INTERVALS),
    ...COMMON,
    totals: SeriesTotals,
    points: Type.Array(SeriesPoint, {
      description:
        'Of all series together. People are distinct, so neither intervals nor series add up to the totals.',
    }),
    series: Type.Array(
      Type.Composite([
        Type.Object({
          key: Type.String({ description: 'The name or value; `other` for all other values.' }),
          rest: Type.Optional(
            Type.Literal(true, {
              description: 'All other values: not the value of an event that says `other`.',
            }),
          ),
        }),
        SeriesFigures,
      ]),
    ),
    active: Type.Optional(
      Type.Object({
        points: Type.Array(
          Type.Object({
            from: DateTime,
            dau: Type.Integer({ minimum: 0, description: 'Distinct people of the day.' }),
            wau: Type.Integer({ minimum: 0, description: 'Of the day and the 6 before.' }),
            mau: Type.Integer({ minimum: 0, description: 'Of the day and the 27 before.' }),
            partial: Type.Optional(Type.Literal(true)),
          }),
        ),
        dauOverMau: Ratio,
        previousDauOverMau: Ratio,
      }),
    ),
    forecast: Type.Optional(Forecast),
    notice: Type.Optional(Type.String({ description: 'Why no change is given.' })),
    hint: Hint,
  },
  { title: 'EventSeries' },
);
export type EventSeries = Static<typeof EventSeries>;

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
export type SeriesQuestionAnswer = Static<typeof SeriesQuestionAnswer>;
