import { must } from '../../shared/assert.ts';
import { RELATIVE_ERROR } from './model.ts';

/** Values whose logarithms lie in one step of this are counted together. */
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);

/** Sign and step of a value, so that one of the step is off by `RELATIVE_ERROR` at most. */
export const STEP_SQL = `sign(v)::INTEGER AS sign,
  CASE WHEN v = 0 THEN 0 ELSE ceil(ln(abs(v)) / ${Math.log(GAMMA)})::INTEGER END AS step`;

export type Step = { sign: number; step: number; count: number };

const middleOf = ({ sign, step }: Step): number =>
  sign === 0 ? 0 : (sign * 2 * GAMMA ** step) / (GAMMA + 1);

/** As `quantile_cont` has it: between the two values nearest to the place. */
export function quantileOf(steps: readonly Step[], share: number): number {
  const sorted = steps.toSorted((a, b) => a.sign - b.sign || a.sign * (a.step - b.step));
  const count = sorted.reduce((sum, step) => sum + step.count, 0);
  const place = share * (count - 1);
  const valueAt = (rank: number): number => {
    let before = 0;
    const found = sorted.find((step) => {
      before += step.count;
      return rank < before;
    });
    return middleOf(must(found, 'a rank is below the count'));
  };
  const [low, high] = [valueAt(Math.floor(place)), valueAt(Math.ceil(place))];
  return low + (high - low) * (place - Math.floor(place));
}
