import fc from 'fast-check';
import type { Dimension } from '../../src/query/selection/dimension.ts';
import { PROPS } from './random-conditions.ts';

type OfFirst = Extract<Dimension, { kind: 'first' }>;

const bounds = fc.uniqueArray(fc.constantFrom(-5, 0, 0.5, 3, 5, 5.5, 100, 1e20), {
  minLength: 1,
  maxLength: 6,
});

const ofEvents: fc.Arbitrary<OfFirst['of']> = fc.oneof(
  fc
    .constantFrom('platform', 'appVersion', 'country', 'osVersion', 'locale', 'name')
    .map((kind) => ({ kind }) as OfFirst['of']),
  fc.constantFrom(...PROPS).map((prop) => ({ kind: 'prop' as const, prop })),
);

/** Of events with `randomFacts`; of numbers in ranges too, given or chosen, and of first events. */
export const randomDimension: fc.Arbitrary<Dimension> = fc.oneof(
  { weight: 2, arbitrary: ofEvents },
  ofEvents.map((of) => ({ kind: 'first' as const, of })),
  fc.record({
    kind: fc.constant('prop' as const),
    prop: fc.constantFrom('plan', 'price'),
    bounds: fc.option(bounds.map((some) => some.toSorted((a, b) => a - b))),
  }),
);
