import { at } from '../../../shared/assert.ts';
import type { Kept } from './person-rows.ts';

/** Bits of a BIGINT without its sign. */
export const WORD_BITS = 62;

export const OCCURRED_US = 'epoch_us(occurred_at)';

/**
 * The number of the bucket that a time lies in; null outside. `boundariesUs` ascend, the last
 * one is the end. Buckets of equal length are one division, so a year of days with its two changes
 * of the clock is five of them.
 */
export function bucketSql(boundariesUs: readonly number[], time = OCCURRED_US): string {
  const arms = [`WHEN ${time} < ${at(boundariesUs, 0)} THEN NULL`];
  let first = 0;
  for (let index = 1; index < boundariesUs.length; index += 1) {
    const step = at(boundariesUs, first + 1) - at(boundariesUs, first);
    const next = boundariesUs[index + 1];
    if (next !== undefined && next - at(boundariesUs, index) === step) continue;
    const inRun = `(${time} - ${at(boundariesUs, first)}) // ${step}`;
    arms.push(`WHEN ${time} < ${at(boundariesUs, index)} THEN ${first} + ${inRun}`);
    first = index;
  }
  return `CASE ${arms.join(' ')} END`;
}

/** Which of `count` buckets a person was active in, as bits of as many BIGINT as it takes. */
export function bucketWords(bucket: string, count: number): Kept[] {
  const words = Math.ceil(count / WORD_BITS);
  return Array.from({ length: words }, (_, word) => {
    const first = word * WORD_BITS;
    const bit = `1::BIGINT << (${bucket} - ${first})::INTEGER`;
    const isHere = `${bucket} BETWEEN ${first} AND ${first + WORD_BITS - 1}`;
    return {
      name: `w${word}`,
      aggregate: words === 1 ? `bit_or(${bit})` : `bit_or(CASE WHEN ${isHere} THEN ${bit} END)`,
    };
  });
}

/** Whether a person was active in a bucket of [from, before). */
export function inRangeSql([from, before]: readonly [number, number]): string {
  const conditions: string[] = [];
  for (let word = Math.floor(from / WORD_BITS); word * WORD_BITS < before; word += 1) {
    const low = Math.max(0, from - word * WORD_BITS);
    const high = Math.min(WORD_BITS, before - word * WORD_BITS);
    const mask = (1n << BigInt(high)) - (1n << BigInt(low));
    conditions.push(`(w${word} & ${mask}) <> 0`);
  }
  return conditions.length === 0 ? 'false' : conditions.join(' OR ');
}
