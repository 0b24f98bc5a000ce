import { type Dimension, dimensionOf } from '../../query/selection/dimension.ts';
import { invalidInput } from '../../shared/errors.ts';
import type { BreakdownBy } from './breakdown.model.ts';

/** Throws `invalid_input` with the place of bounds in no order. */
export function breakdownDimension(by: BreakdownBy, place = 'breakdown'): Dimension {
  if (typeof by === 'string') return dimensionOf(by);
  const { property, bounds = null } = by;
  const wrong = bounds?.findIndex((bound, index) => bound <= (bounds[index - 1] ?? -Infinity));
  if (wrong !== undefined && wrong > -1) {
    throw invalidInput(`${place}.bounds[${wrong}]`, 'must be greater than the one before');
  }
  return { kind: 'prop', prop: property, bounds };
}

/** Of one or two. */
export function breakdownDimensions(
  breakdown: BreakdownBy | BreakdownBy[] | undefined,
  place = 'breakdown',
): Dimension[] {
  if (breakdown === undefined) return [];
  if (!Array.isArray(breakdown)) return [breakdownDimension(breakdown, place)];
  return breakdown.map((by, index) => breakdownDimension(by, `${place}[${index}]`));
}
