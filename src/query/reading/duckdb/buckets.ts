import { at } from '../../../shared/assert.ts';
import { DUCKDB, type SqlDialect } from '../../selection/property.ts';
import type { Kept } from './person-rows.ts';

export const WORD_BITS = 62;

export const OCCURRED_US = DUCKDB.sinceEpoch('occurred_at');

export function bucketSql(
  boundariesUs: readonly number[],
  sql: SqlDialect = DUCKDB,
  time = sql.sinceEpoch('occurred_at'),
): string {
  const arms = [`WHEN ${time} < ${at(boundariesUs, 0)} THEN NULL`];
  let first = 0;
  for (let index = 1; index < boundariesUs.length; index += 1) {
    const step = at(boundariesUs, first + 1) - at(boundariesUs, first);
    const next = boundariesUs[index + 1];
    if (next !== undefined && next - at(boundariesUs, index) === step) continue;
    const inRun = sql.quotient(`${time} - ${at(boundariesUs, first)}`, step);
    arms.push(`WHEN ${time} < ${at(boundariesUs, index)} THEN ${first} + ${inRun}`);
    first = index;
  }
  return `CASE ${arms.join(' ')} END`;
}

export function bucketWords(
  bucket: string,
  count: number,
  sql: SqlDialect,
  { prefix = '', condition = null }: { prefix?: string; condition?: string | null } = {},
): Kept[] {
  const words = Math.ceil(count / WORD_BITS);
  return Array.from({ length: words }, (_, word) => {
    const first = word * WORD_BITS;
    const bit = sql.bit(`${bucket} - ${first}`);
    const isHere = `${bucket} BETWEEN ${first} AND ${first + WORD_BITS - 1}`;
    const when = [...(words === 1 ? [] : [isHere]), ...(condition === null ? [] : [condition])];
    return {
      name: `${prefix}w${word}`,
      aggregate:
        when.length === 0
          ? sql.mergeBits(bit)
          : sql.mergeBits(`CASE WHEN ${when.join(' AND ')} THEN ${bit} END`),
    };
  });
}

export function inRangeSql(
  [from, before]: readonly [number, number],
  sql: SqlDialect,
  prefix = '',
): string {
  const conditions: string[] = [];
  for (let word = Math.floor(from / WORD_BITS); word * WORD_BITS < before; word += 1) {
    const low = Math.max(0, from - word * WORD_BITS);
    const high = Math.min(WORD_BITS, before - word * WORD_BITS);
    const mask = (1n << BigInt(high)) - (1n << BigInt(low));
    conditions.push(`${sql.bitsIn(`${prefix}w${word}`, mask)} <> 0`);
  }
  return conditions.length === 0 ? 'false' : conditions.join(' OR ');
}
