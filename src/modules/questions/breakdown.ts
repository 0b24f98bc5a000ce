import { type Dimension, parseDimension, givenValues } from '../../query/selection/dimension.ts';
import { invalidInput } from '../../shared/errors.ts';
import type { BreakdownBy } from './breakdown.model.ts';

/** Throws `invalid_input` with the place of bounds in no order. */
export function breakdownDimension(by: BreakdownBy, place = 'breakdown'): Dimension {
  if (typeof by === 'string') return parseDimension(by);
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

/** In the order of ranges, where these are given. */
export function inGivenOrder<T extends { value: string | null }>(
  groups: readonly T[],
  by: Dimension,
): T[] {
  const given = givenValues(by) ?? [];
  return groups.toSorted((a, b) => given.indexOf(a.value ?? '') - given.indexOf(b.value ?? ''));
}
