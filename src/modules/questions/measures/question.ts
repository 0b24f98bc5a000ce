import { type Static, Type } from '@sinclair/typebox';
import { Measure } from '../../../query/measures/model.ts';
import { Named } from '../../../shared/schema.ts';
import { BreakdownBy } from '../resolve/breakdown.model.ts';
import { Selection } from '../resolve/selection.model.ts';
import { Window } from '../resolve/window.model.ts';
import { Compare, Interval } from '../series/question.ts';

const MAX_MEASURES = 6;

export const MeasuresQuestion = Named(
  'MeasuresQuestion',
  {
    kind: Type.Literal('measures'),
    selection: Type.Optional(Selection),
    measure: Measure,
    others: Type.Optional(
      Type.Array(Measure, {
        minItems: 1,
        maxItems: MAX_MEASURES - 1,
        description: 'Further measures of the same selection.',
      }),
    ),
    breakdown: Type.Optional(BreakdownBy),
    interval: Interval,
    compare: Compare,
    ...Window,
  },
  {
    additionalProperties: false,
    description:
      'Sessions are those with an event of the selection, each in the interval in which it begins. Broken down, each value is measured as if its events alone were asked for.',
    examples: [
      {
        kind: 'measures',
        selection: { events: ['purchase_completed'] },
        measure: { of: 'property', property: 'price', statistic: 'median', per: 'event' },
        interval: 'week',
      },
    ],
  },
);
export type MeasuresQuestion = Static<typeof MeasuresQuestion>;
