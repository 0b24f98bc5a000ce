import { bucketSql, bucketWords, inRangeSql, WORD_BITS } from '../reading/duckdb/buckets.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import type { Events } from '../reading/source/events.ts';
import type { LifecycleQuestion, LifecycleState } from './model.ts';

/** Interval `n` has the bit after it. */
const BEFORE_BIT = 0;
const intervalBit = (interval: number): number => interval + 1;

const hasBit = (bit: number): string => `(${inRangeSql([bit, bit + 1])})`;

function firstBitSql(words: readonly string[]): string {
  const arms = words.map((word, index) => {
    const zerosBelow = `bit_count((${word} & -${word}) - 1)::INTEGER`;
    return `WHEN ${word} <> 0 THEN ${index * WORD_BITS} + ${zerosBelow}`;
  });
  return `CASE ${arms.join(' ')} END`;
}

export function stateRowsSql(
  events: Events,
  { boundariesUs }: Pick<LifecycleQuestion, 'boundariesUs'>,
  { as, place }: { as: 'id' | 'key'; place?: string | undefined },
): string {
  const intervals = boundariesUs.length - 1;
  const bit = `coalesce(${bucketSql(boundariesUs)} + ${intervalBit(0)}, ${BEFORE_BIT})`;
  const words = bucketWords(bit, intervalBit(intervals));
  const names = words.map(({ name }) => name);
  const keys = place === undefined ? [] : [{ name: 'place', sql: place }];
  const whose = ['person', ...keys.map(({ name }) => name)].join(', ');
  const rows = personRows(events, ['occurred_at'], words, { as, keys });
  const filled = names.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ');
  return `SELECT *, ${firstBitSql(names)} AS first FROM (SELECT ${whose}, ${filled} FROM (${rows}))
    WHERE ${inRangeSql([intervalBit(0), intervalBit(intervals)])}`;
}

export const activeSql = (interval: number): string => hasBit(intervalBit(interval));

/**
 * New: the first event of the selection ever. Returning: active in the interval before too.
 * Resurrected: active earlier, but not in the interval before. Dormant: active in the interval
 * before and not in this one.
 */
export function stateSql(state: LifecycleState, interval: number): string {
  const [active, before] = [activeSql(interval), activeSql(interval - 1)];
  switch (state) {
    case 'new':
      return `${active} AND first = ${intervalBit(interval)}`;
    case 'returning':
      return `${active} AND ${before}`;
    case 'resurrected':
      return `${active} AND NOT ${before} AND first < ${intervalBit(interval)}`;
    case 'dormant':
      return `${before} AND NOT ${active}`;
  }
}
