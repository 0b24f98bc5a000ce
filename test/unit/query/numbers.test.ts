import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Numbers } from '../../../src/query/reading/projection/numbers.ts';

const GROUP = 5;

/** Groups of five, as records are; `null` reads, which must change nothing. */
const steps = fc.array(
  fc.oneof(
    fc.record({ pushed: fc.nat({ max: 40 }) }),
    fc.record({ appended: fc.nat({ max: 40 }) }),
    fc.constant(null),
  ),
  { maxLength: 30 },
);

const ascending = (values: Float64Array) => [...values].toSorted((a, b) => a - b);

test('numbers that are pushed or appended are all there, groups in one piece', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 64 }), (some, capacity) => {
      const numbers = new Numbers(capacity);
      let next = 0;
      const group = () => Array.from({ length: GROUP }, () => next++);
      for (const step of some) {
        if (step === null) numbers.values();
        else if ('pushed' in step) {
          for (let n = 0; n < step.pushed; n += 1) for (const one of group()) numbers.push(one);
        } else {
          const values = Array.from({ length: step.appended }, group).flat();
          numbers.append(Float64Array.from(values));
        }
        expect(numbers.length).toBe(next);
      }
      const copy = numbers.copy();
      expect(ascending(copy)).toEqual(Array.from({ length: next }, (_, n) => n));
      for (let place = 0; place < next; place += GROUP) {
        const first = copy[place] ?? Number.NaN;
        expect([...copy.subarray(place, place + GROUP)]).toEqual(
          Array.from({ length: GROUP }, (_, n) => first + n),
        );
      }
      expect(numbers.values()).toEqual(copy);
    }),
    { numRuns: 500 },
  );
});
