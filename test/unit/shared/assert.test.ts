import { describe, expect, test } from 'bun:test';
import { AssertionError, at, must, onlyRow } from '../../../src/shared/assert.ts';

describe('an impossible state is told, never papered over', () => {
  test('an index is inside its array', () => {
    expect(at(['a', 'b'], 1)).toBe('b');
    expect(at(new Float64Array([0]), 0)).toBe(0);
    for (const index of [-1, 2, 0.5]) expect(() => at(['a', 'b'], index)).toThrow(AssertionError);
  });

  test('a value that has to be there is there, zero and the empty text too', () => {
    expect(must(0, 'a count')).toBe(0);
    expect(must('', 'a text')).toBe('');
    expect(() => must(null, 'a row that was just inserted')).toThrow(
      'Missing: a row that was just inserted.',
    );
  });

  test('an aggregate has one row', () => {
    expect(onlyRow([{ count: 3 }])).toEqual({ count: 3 });
    expect(() => onlyRow([])).toThrow('0 rows where there is always one.');
    expect(() => onlyRow([1, 2])).toThrow(AssertionError);
  });
});
