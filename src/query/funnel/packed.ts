import { MAX_FUNNEL_STEPS } from './model.ts';

/**
 * One step event in a BIGINT: microseconds since the start of the report's window above, one flag,
 * and the mask of steps below. 400 + 90 days need 46 bits, so the sign stays free.
 */
const FLAG_BIT = MAX_FUNNEL_STEPS;
const TIME_SHIFT = MAX_FUNNEL_STEPS + 1;
const MASK = (1 << MAX_FUNNEL_STEPS) - 1;
const LOW_TIME_UNITS = 2 ** (32 - TIME_SHIFT);

export function packSql(fromUs: number, mask: string, flag: string | null): string {
  const flagged = flag === null ? '' : ` | CASE WHEN ${flag} THEN ${1 << FLAG_BIT} ELSE 0 END`;
  return `(((epoch_us(occurred_at) - ${fromUs}) << ${TIME_SHIFT}) | ${mask}${flagged})`;
}

/** The time of a packed event within the window. */
export const packedTimeSql = (packed: string) => `(${packed} >> ${TIME_SHIFT})`;

/** Time within the window, from the two halves of a packed event. */
export function timeOf(low: number, high: number): number {
  return high * LOW_TIME_UNITS + (low >>> TIME_SHIFT);
}

export function maskOf(low: number): number {
  return low & MASK;
}

export function flagOf(low: number): boolean {
  return (low & (1 << FLAG_BIT)) !== 0;
}
