import { type Static, type TObject, Type } from '@sinclair/typebox';
import {
  QUESTION_DIMENSION_NAMES,
  QUESTION_DIMENSION_PATTERN,
} from '../../../query/selection/dimension.ts';
import { MAX_NUMBER_RANGES } from '../../../query/selection/number-ranges.ts';
import { Named, Nullable } from '../../../shared/schema.ts';
import { onePattern } from '../../../shared/text.ts';

const DIMENSIONS = `${QUESTION_DIMENSION_NAMES}, or arm`;

export const NumberRanges = Named(
  'NumberRanges',
  {
    property: Type.String({ pattern: `^${onePattern()}{1,64}$` }),
    bounds: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 1,
        maxItems: MAX_NUMBER_RANGES - 1,
        description:
          'Where ranges begin, ascending; round ones near the quantiles of what was sent when left out.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'The numbers of a property in ranges; what is no number counts as missing.',
    examples: [{ property: 'price', bounds: [5, 10, 20] }],
  },
);

export const BreakdownBy = Type.Union(
  [
    Type.String({ pattern: `^(${QUESTION_DIMENSION_PATTERN}|arm)$`, description: DIMENSIONS }),
    NumberRanges,
  ],
  { title: 'BreakdownBy', rule: `must be ${DIMENSIONS}, or a property in ranges` },
);
export type BreakdownBy = Static<typeof BreakdownBy>;
export type NumberRanges = Static<typeof NumberRanges>;

const BreakdownFact = Type.Object({
  others: Type.Integer({ minimum: 0, description: 'Values that `other` is of.' }),
  bounds: Type.Optional(
    Type.Array(Type.Number(), {
      description: 'Where ranges begin: the same when asked for these bounds.',
    }),
  ),
});
export const BreakdownFacts = Type.Array(BreakdownFact, { description: 'Of each dimension.' });

export const Bounds = Type.Optional(
  Type.Array(Type.Number(), { description: 'Where the ranges of the breakdown begin.' }),
);

export const Groups = <T extends TObject>(figures: T) =>
  Type.Array(
    Type.Composite([
      Type.Object({ value: Nullable(Type.String({ description: 'Null for all other values.' })) }),
      figures,
    ]),
  );
