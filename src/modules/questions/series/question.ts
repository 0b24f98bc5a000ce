import { type Static, Type } from '@sinclair/typebox';
import { DIMENSION_NAMES, DIMENSION_PATTERN } from '../../../query/selection/dimension.ts';
import { MAX_SERIES_NAMES } from '../../../query/series/model.ts';
import { CALENDAR_INTERVALS } from '../../../shared/calendar.ts';
import { Named, OneOf, QueryBoolean } from '../../../shared/schema.ts';
import { FilterParameters } from '../../events/index.ts';
import { BreakdownBy } from '../resolve/breakdown.model.ts';
import { NamesParameter, WindowParameters } from '../resolve/parameters.model.ts';
import { SegmentsApart } from '../resolve/segments.model.ts';
import { Selection } from '../resolve/selection.model.ts';
import { Window } from '../resolve/window.model.ts';

export const Interval = Type.Optional(
  OneOf(CALENDAR_INTERVALS, { description: 'Weeks begin on Monday.', whenLeftOut: 'day' }),
);

const COMPARED = 'With the window before: as many intervals as are over.';
export const Compare = Type.Optional(Type.Boolean({ description: COMPARED, default: true }));

export const SeriesQuestion = Named(
  'SeriesQuestion',
  {
    kind: Type.Literal('series'),
    series: Type.Array(Selection, {
      minItems: 1,
      maxItems: MAX_SERIES_NAMES,
      description: 'A series each; an event may be in several.',
    }),
    breakdown: Type.Optional(
      Type.Union([BreakdownBy, Type.Array(BreakdownBy, { minItems: 2, maxItems: 2 })], {
        rule: 'must be a dimension, a property in ranges, or two of them',
        description:
          'A series for each of the six values with most events, and one for the others; for each range of numbers; of two dimensions for each pair, six by six and the others of each. With one series only.',
      }),
    ),
    segments: Type.Optional({
      ...SegmentsApart,
      description: `${SegmentsApart.description} A series each; with one series only.`,
    }),
    interval: Interval,
    compare: Compare,
    ...Window,
  },
  {
    additionalProperties: false,
    examples: [
      {
        kind: 'series',
        series: [
          {
            events: ['searched'],
            where: { all: [{ field: 'prop:results', op: 'is', value: 0 }] },
          },
        ],
        breakdown: 'prop:term',
        days: 7,
      },
    ],
  },
);
export type SeriesQuestion = Static<typeof SeriesQuestion>;

export const SeriesQuery = Type.Composite([
  WindowParameters,
  FilterParameters,
  Type.Object({
    interval: Interval,
    names: Type.Optional(NamesParameter),
    breakdown: Type.Optional(
      Type.String({
        pattern: `^(${DIMENSION_PATTERN})$`,
        description: `${DIMENSION_NAMES}: a series for each of the six values with most events, and one for the others. Not together with several names.`,
      }),
    ),
    compare: Type.Optional(QueryBoolean({ description: COMPARED, whenLeftOut: true })),
    active: Type.Optional(
      QueryBoolean({
        description:
          'Adds DAU, WAU and MAU of each day. By day, without breakdown or several names.',
      }),
    ),
  }),
]);
export type SeriesQuery = Static<typeof SeriesQuery>;
