/** Space beyond the highest and below the lowest point. */
const HEADROOM = 1.1;
const DAY_MS = 86_400_000;

/** Days between two names of the axis below: days, weeks, months and quarters. */
export const DAY_STEPS = [1, 2, 7, 14, 28, 91, 182, 364];

/** A calendar day as a number, the same in each zone of a reader. */
export const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
export const dayOf = (number: number): string =>
  new Date(number * DAY_MS).toISOString().slice(0, 10);

/**
 * From the lowest to the highest amount with 0 between them: more can be refunded on a day than was
 * sold. Without points both are null.
 */
export function amountRange(low: number | null, high: number | null): [number, number] {
  const bottom = Math.min(0, low ?? 0) * HEADROOM;
  const top = Math.max(0, high ?? 0) * HEADROOM;
  return bottom === top ? [0, HEADROOM] : [bottom, top];
}

/** Room for the longest name of the axis at the side, as currencies of some places need it. */
export const widthOf = (names: readonly string[]): number =>
  Math.max(76, 20 + 7 * Math.max(0, ...names.map(({ length }) => length)));
