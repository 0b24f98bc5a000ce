import { bucketSql, bucketWords, inRangeSql, WORD_BITS } from '../reading/duckdb/buckets.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import type { Events } from '../reading/source/events.ts';
import type { SqlDialect } from '../selection/property.ts';
import type { LifecycleQuestion, LifecycleState } from './model.ts';

/** Interval `n` has the bit after it. */
const BEFORE_BIT = 0;
const intervalBit = (interval: number): number => interval + 1;

const hasBit = (bit: number, sql: SqlDialect): string => `(${inRangeSql([bit, bit + 1], sql)})`;

function firstBitSql(words: readonly string[], sql: SqlDialect): string {
  const arms = words.map(
    (word, index) => `WHEN ${word} <> 0 THEN ${index * WORD_BITS} + ${sql.zerosBelow(word)}`,
  );
  return `CASE ${arms.join(' ')} END`;
}

export function stateRowsSql(
  events: Events,
  { boundariesUs }: Pick<LifecycleQuestion, 'boundariesUs'>,
  { as, place }: { as: 'id' | 'key'; place?: string | undefined },
): string {
  const { dialect } = events.sql;
  const intervals = boundariesUs.length - 1;
  const bit = `coalesce(${bucketSql(boundariesUs, dialect)} + ${intervalBit(0)}, ${BEFORE_BIT})`;
  const words = bucketWords(bit, intervalBit(intervals), dialect);
  const names = words.map(({ name }) => name);
  const keys = place === undefined ? [] : [{ name: 'place', sql: place }];
  const whose = ['person', ...keys.map(({ name }) => name)].join(', ');
  const rows = personRows(events, ['occurred_at'], words, { as, keys });
  const filled = names.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ');
  return `SELECT *, ${firstBitSql(names, dialect)} AS first FROM (SELECT ${whose}, ${filled} FROM (${rows}))
    WHERE ${inRangeSql([intervalBit(0), intervalBit(intervals)], dialect)}`;
}

export const activeSql = (interval: number, sql: SqlDialect): string =>
  hasBit(intervalBit(interval), sql);

/**
 * New: the first event of the selection ever. Returning: active in the interval before too.
 * Resurrected: active earlier, but not in the interval before. Dormant: active in the interval
 * before and not in this one.
 */
export function stateSql(state: LifecycleState, interval: number, sql: SqlDialect): string {
  const [active, before] = [activeSql(interval, sql), activeSql(interval - 1, sql)];
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
