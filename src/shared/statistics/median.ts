import { outside } from '../assert.ts';

function swap(values: Float64Array, a: number, b: number): void {
  const kept = values[a] ?? outside();
  values[a] = values[b] ?? outside();
  values[b] = kept;
}

function partition(values: Float64Array, low: number, high: number): [number, number] {
  const pivot = values[(low + high) >>> 1] ?? outside();
  let left = low;
  let right = high;
  while (left <= right) {
    while ((values[left] ?? outside()) < pivot) left += 1;
    while ((values[right] ?? outside()) > pivot) right -= 1;
    if (left > right) break;
    swap(values, left, right);
    left += 1;
    right -= 1;
  }
  return [right, left];
}

/** Rank is 0-based. Linear time. */
function select(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const [right, left] = partition(values, low, high);
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] ?? outside();
}

/** Reorders `values`. */
export function median(values: Float64Array): number | null {
  if (values.length === 0) return null;
  const upper = values.length >>> 1;
  const above = select(values, upper);
  if (values.length % 2 === 1) return above;
  let below = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < upper; index += 1)
    below = Math.max(below, values[index] ?? outside());
  return (below + above) / 2;
}
