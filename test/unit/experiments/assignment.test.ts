import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  armEnds,
  assignArm,
  BUCKETS,
  bucketBy,
} from '../../../src/modules/experiments/assignment.ts';

const toBucket = (seed: string, person: string) => bucketBy(seed)(person);

describe('a bucket', () => {
  // Version 2 of the "hash" section of the cases that GrowthBook publishes for its SDKs.
  test.each([
    ['seed', 'a', 0.0505],
    ['seed', 'b', 0.2696],
    ['foo', 'ab', 0.2575],
    ['foo', 'def', 0.2019],
    ['89123klj', '8952klfjas09ujkasdf', 0.124],
    ['90850943850283058242805', '123', 0.7516],
    ['()**(%$##$%#$#', '___)((*":&', 0.0128],
  ])('%s + %s is %d', (seed, value, expected) => {
    expect(toBucket(seed, value) / BUCKETS).toBe(expected);
  });

  test('is always a bucket, and the same at every call', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (seed, id) => {
        const bucket = toBucket(seed, id);
        expect(bucket).toBeWithin(0, BUCKETS);
        expect(toBucket(seed, id)).toBe(bucket);
      }),
    );
  });
});

/** As GrowthBook writes it: the decimal text of the first hash is hashed again. */
function plainBucket(seed: string, person: string): number {
  const fnv = (text: string) => {
    let hash = 2166136261n;
    for (let unit = 0; unit < text.length; unit += 1) {
      hash = ((hash ^ BigInt(text.charCodeAt(unit))) * 16777619n) & 0xffffffffn;
    }
    return hash;
  };
  return Number(fnv(String(fnv(seed + person))) % 10_000n);
}

test('a bucket is that of the plain hash, whatever the first one has of digits', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string(), { minLength: 20 }), (seed, people) => {
      for (const person of people) expect(toBucket(seed, person)).toBe(plainBucket(seed, person));
    }),
  );
  // The first hash of one in 43,000 has five digits or fewer.
  for (let n = 0; n < 200_000; n += 1) {
    const person = `person-${n}`;
    const bucket = toBucket('rul_1', person);
    if (bucket !== plainBucket('rul_1', person)) expect([person, bucket]).toEqual([]);
  }
});

describe('armEnds', () => {
  test.each([
    [
      [1, 1],
      [5_000, 10_000],
    ],
    [
      [1, 1, 1],
      [3_333, 6_667, 10_000],
    ],
    [
      [90, 10],
      [9_000, 10_000],
    ],
    [
      [1, 9_999],
      [1, 10_000],
    ],
  ])('%j', (weights, ends) => {
    expect(armEnds(weights)).toEqual(ends);
  });

  test('every bucket belongs to exactly one arm', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(weights, (given) => {
        const ends = armEnds(given);
        expect(ends.at(-1)).toBe(BUCKETS);
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('assignArm', () => {
  const PEOPLE = 100_000;
  const ids = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);

  test.each([[[1, 1]], [[9, 1]], [[1, 1, 1]], [[5, 3, 2]]])(
    'deals 100,000 people by the weights %j',
    (weights) => {
      const counts = weights.map(() => 0);
      for (const id of ids) {
        const arm = assignArm('exp_shares', weights, id);
        counts[arm] = (counts[arm] ?? 0) + 1;
      }
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const [index, weight] of weights.entries()) {
        const share = weight / total;
        // Five standard deviations of the binomial distribution: one false alarm in two million.
        const bound = 5 * Math.sqrt(PEOPLE * share * (1 - share));
        expect(Math.abs((counts[index] ?? 0) - PEOPLE * share)).toBeLessThan(bound);
      }
    },
  );

  test('two experiments deal the same people independently', () => {
    const both = ids.filter(
      (id) => assignArm('exp_one', [1, 1], id) === 0 && assignArm('exp_two', [1, 1], id) === 0,
    );
    expect(Math.abs(both.length - PEOPLE / 4)).toBeLessThan(5 * Math.sqrt(PEOPLE * 0.25 * 0.75));
  });
});
