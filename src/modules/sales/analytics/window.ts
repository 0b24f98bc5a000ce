import { type Static, Type } from '@sinclair/typebox';
import { invalidInput } from '../../../shared/errors.ts';
import { addDays, daysBetween } from '../../../shared/pacific.ts';

export const DEFAULT_DAYS = 30;
export const DAYS_MAX = 400;
/** Bounds against mistakes of the caller. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

export type WindowQuery = { from?: string; to?: string; days?: number };

export const Window = Type.Object({
  from: Type.String(),
  to: Type.String(),
  days: Type.Integer(),
  previousFrom: Type.String(),
  previousTo: Type.String(),
});
export type Window = Static<typeof Window>;

function toWindow(from: string, to: string): Window {
  const days = daysBetween(from, to) + 1;
  return { from, to, days, previousFrom: addDays(from, -days), previousTo: addDays(from, -1) };
}

/** Ends on Pacific yesterday by default. Throws `invalid_input`. */
export function resolveWindow(query: WindowQuery, yesterday: string): Window {
  const { from, to, days } = query;
  if (days !== undefined && (from !== undefined || to !== undefined)) {
    throw invalidInput('days', 'give either days or from and to, not both');
  }
  if (from === undefined && to === undefined) {
    return toWindow(addDays(yesterday, 1 - (days ?? DEFAULT_DAYS)), yesterday);
  }
  const last = to ?? yesterday;
  const first = from ?? addDays(last, 1 - DEFAULT_DAYS);
  if (first < FIRST_DAY) throw invalidInput('from', `must not be before ${FIRST_DAY}`);
  if (last > LAST_DAY) throw invalidInput('to', `must not be after ${LAST_DAY}`);
  if (first > last) throw invalidInput('from', 'must not be after to');
  if (daysBetween(first, last) >= DAYS_MAX) {
    throw invalidInput('from', `at most ${DAYS_MAX} days lie between from and to`);
  }
  return toWindow(first, last);
}
