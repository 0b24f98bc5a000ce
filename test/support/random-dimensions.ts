import fc from 'fast-check';
import type { Dimension } from '../../src/query/selection/dimension.ts';
import { PROPS } from './random-conditions.ts';

const bounds = fc.uniqueArray(fc.constantFrom(-5, 0, 0.5, 3, 5, 5.5, 100, 1e20), {
  minLength: 1,
  maxLength: 6,
});

/** Of events with `randomFacts`; of numbers in ranges too, given or chosen. */
export const randomDimension: fc.Arbitrary<Dimension> = fc.oneof(
  fc
    .constantFrom('platform', 'appVersion', 'country', 'osVersion', 'locale', 'name')
    .map((kind) => ({ kind }) as Dimension),
  fc.constantFrom(...PROPS).map((prop) => ({ kind: 'prop' as const, prop })),
  fc.record({
    kind: fc.constant('prop' as const),
    prop: fc.constantFrom('plan', 'price'),
    bounds: fc.option(bounds.map((some) => some.toSorted((a, b) => a - b))),
  }),
);
