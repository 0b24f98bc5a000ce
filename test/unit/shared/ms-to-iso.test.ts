import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { msToIso } from '../../../src/shared/ms-to-iso.ts';

test('a time is written as a date writes it', () => {
  const near = fc.double({ min: 1.795e12 - 2e5, max: 1.795e12 + 2e5, noNaN: true });
  const any = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(near, any, fc.constantFrom(0, -0.5, -1, 59_999.9, 6e4))),
      (sent) => sent.every((ms) => msToIso(ms) === new Date(ms).toISOString()),
    ),
    { numRuns: 2_000 },
  );
  expect(() => msToIso(Number.NaN)).toThrow(RangeError);
  expect(() => msToIso(1e17)).toThrow(RangeError);
});
