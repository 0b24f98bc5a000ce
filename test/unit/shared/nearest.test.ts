import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { editDistance, nearest } from '../../../src/shared/nearest.ts';

/** By the definition: the cheapest of every way to begin. */
function slowly(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const ways = [
    slowly(restA, restB) + (a[0] === b[0] ? 0 : 1),
    slowly(restA, b) + 1,
    slowly(a, restB) + 1,
  ];
  const isSwap = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  if (isSwap) ways.push(slowly(a.slice(2), b.slice(2)) + 1);
  return Math.min(...ways);
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

describe('the distance of two texts', () => {
  test.each([
    ['purchase_complted', 'purchase_completed', 1],
    ['purhcase', 'purchase', 1],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['ca', 'abc', 3],
  ])('of %s and %s is %d', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  test('is that of trying every way, the same both ways, and zero of the same text only', () => {
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        const distance = editDistance(one, other);
        expect(distance).toBe(slowly(one, other));
        expect(distance).toBe(editDistance(other, one));
        expect(distance === 0).toBe(one === other);
      }),
    );
  });

  test('looks at no more than the beginnings of long texts', () => {
    expect(editDistance(`${'a'.repeat(100)}x`, `${'a'.repeat(100)}y`)).toBe(0);
    expect(editDistance(`${'a'.repeat(99)}x`, `${'a'.repeat(99)}y`)).toBe(1);
  });
});

describe('the nearest texts', () => {
  test('come in order, of equals in the order that they have, no more than asked for', () => {
    const known = ['zzzz', 'plans', 'plane', 'plan'];
    expect(nearest('plan', known, 3)).toEqual(['plan', 'plans', 'plane']);
    expect(nearest('plan', [], 3)).toEqual([]);
  });
});
