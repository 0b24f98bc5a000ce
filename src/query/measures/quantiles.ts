import { must } from '../../shared/assert.ts';
import { RELATIVE_ERROR } from './model.ts';

/** Values whose logarithms lie in one step of this are counted together. */
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);

/** One of the step is off by `RELATIVE_ERROR` at most. */
export const STEP_SQL = `CAST(sign(v) AS INTEGER) AS sign,
  CASE WHEN v = 0 THEN 0 ELSE CAST(ceil(ln(abs(v)) / ${Math.log(GAMMA)}) AS INTEGER) END AS step`;

export type Step = { sign: number; step: number; count: number };

const stepMiddle = ({ sign, step }: Step): number =>
  sign === 0 ? 0 : (sign * 2 * GAMMA ** step) / (GAMMA + 1);

/** As `quantile_cont` has it: between the two values nearest to the place. */
export function computeQuantile(steps: readonly Step[], share: number): number {
  const sorted = steps.toSorted((a, b) => a.sign - b.sign || a.sign * (a.step - b.step));
  const count = sorted.reduce((sum, step) => sum + step.count, 0);
  const place = share * (count - 1);
  const valueAt = (rank: number): number => {
    let before = 0;
    const found = sorted.find((step) => {
      before += step.count;
      return rank < before;
    });
    return stepMiddle(must(found, 'a rank is below the count'));
  };
  const [low, high] = [valueAt(Math.floor(place)), valueAt(Math.ceil(place))];
  return low + (high - low) * (place - Math.floor(place));
}

const MIN_SAMPLED = 600;

/** Floyd and Rivest: a sample gives the pivot. */
function placeSample(values: Float64Array, low: number, high: number, rank: number): void {
  const count = high - low + 1;
  const before = rank - low + 1;
  const log = Math.log(count);
  const size = Math.exp((2 * log) / 3) / 2;
  const side = before < count / 2 ? -1 : 1;
  const margin = (side * Math.sqrt((log * size * (count - size)) / count)) / 2;
  placeRank(values, rank, {
    low: Math.max(low, Math.floor(rank - (before * size) / count + margin)),
    high: Math.min(high, Math.floor(rank + ((count - before) * size) / count + margin)),
  });
}

function placeRank(
  values: Float64Array,
  rank: number,
  { low, high } = { low: 0, high: values.length - 1 },
): void {
  while (low < high) {
    if (high - low > MIN_SAMPLED) placeSample(values, low, high, rank);
    const pivot = values[rank];
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left] < pivot) left += 1;
      while (values[right] > pivot) right -= 1;
      if (left > right) break;
      const moved = values[left];
      values[left] = values[right];
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return;
  }
}

/** As `quantile_cont` has it; null of nothing. Changes the order of the values. */
export function exactQuantile(values: Float64Array, share: number): number | null {
  if (values.length === 0) return null;
  const place = share * (values.length - 1);
  const rank = Math.floor(place);
  placeRank(values, rank);
  const low = values[rank];
  if (rank === values.length - 1) return low;
  const high = values.subarray(rank + 1).reduce((least, one) => Math.min(least, one));
  const distance = place - rank;
  return low * (1 - distance) + high * distance;
}
