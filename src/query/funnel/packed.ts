import { MAX_FUNNEL_STEPS } from './model.ts';

/**
 * A step event in a BIGINT: microseconds since the window's start, a flag, the mask of steps. 490
 * days need 46 bits, so the sign stays free.
 */
const FLAG_BIT = MAX_FUNNEL_STEPS;
const TIME_SHIFT = MAX_FUNNEL_STEPS + 1;
const MASK = (1 << MAX_FUNNEL_STEPS) - 1;
export const ANY_STEP = MASK;
const LOW_TIME_UNITS = 2 ** (32 - TIME_SHIFT);

export function packSql(fromUs: number, mask: string, flag: string | null): string {
  const flagged = flag === null ? '' : ` | CASE WHEN ${flag} THEN ${1 << FLAG_BIT} ELSE 0 END`;
  return `(((epoch_us(occurred_at) - ${fromUs}) << ${TIME_SHIFT}) | ${mask}${flagged})`;
}

export const packedTimeSql = (packed: string) => `(${packed} >> ${TIME_SHIFT})`;

export function unpackTime(low: number, high: number): number {
  return high * LOW_TIME_UNITS + (low >>> TIME_SHIFT);
}

export function unpackMask(low: number): number {
  return low & MASK;
}

export function unpackFlag(low: number): boolean {
  return (low & (1 << FLAG_BIT)) !== 0;
}
