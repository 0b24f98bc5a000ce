import { outside } from './assert.ts';

/** Prefix compared in longer texts. */
const MAX_COMPARED = 100;

/** Optimal string alignment distance (restricted Damerau–Levenshtein). */
export function editDistance(one: string, other: string): number {
  const [a, b] = [[...one].slice(0, MAX_COMPARED), [...other].slice(0, MAX_COMPARED)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of a.entries()) {
    const next = [row + 1];
    for (const [column, wanted] of b.entries()) {
      const changed = (last[column] ?? outside()) + (letter === wanted ? 0 : 1);
      const left = (last[column + 1] ?? outside()) + 1;
      const put = (next[column] ?? outside()) + 1;
      const isSwapped = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === wanted;
      const swapped = isSwapped ? (beforeLast[column - 1] ?? outside()) + 1 : Infinity;
      next.push(Math.min(changed, left, put, swapped));
    }
    [beforeLast, last] = [last, next];
  }
  return last.at(-1) ?? outside();
}

export function nearest(wanted: string, known: readonly string[], most: number): string[] {
  return known
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}
