import {
  type BrokenDown,
  type Dimension,
  dimensionSql,
  givenValues,
  MISSING,
} from '../selection/dimension.ts';
import type { SqlDialect } from '../selection/property.ts';
import type { EventSelection } from '../selection/selection.ts';
import { countedEvents } from './duckdb/relation.ts';
import type { Part } from './projection/parts.ts';
import { type RankedValues, rankAtOnce, ValueCounter } from './projection/ranked-values.ts';
import type { CountParts } from './read.ts';
import type { QueryRun } from './run.ts';
import { selectEvents } from './source/events.ts';
import { readRows, type SqlRun } from './source/sql-rows.ts';

const shownOfRanked = (by: Dimension, ranked: readonly string[]): Shown => {
  const values = ranked.slice(0, MAX_BREAKDOWN_VALUES);
  return { by, values, others: ranked.length - values.length };
};

export type PartsCounting = {
  source: QueryRun['source'];
  parts: readonly Part[];
  countParts: CountParts;
};

export async function shownByParts(
  { source: { environment }, parts, countParts }: PartsCounting,
  by: Dimension,
  meant: Omit<RankedValues, 'by'>,
): Promise<Shown | null> {
  const given = givenValues(by);
  if (given) return { by, values: given, others: 0 };
  const question = { ...meant, by };
  const ranked = rankAtOnce({ parts, environment }, question);
  if (ranked !== null) return shownOfRanked(by, ranked);
  return countParts((share) => {
    const counter = new ValueCounter(share, question);
    const answer = () => shownOfRanked(by, counter.ranked());
    return { counter, task: { kind: 'values' as const, question }, answer };
  });
}

declare module './threads/messages.ts' {
  interface CountingTasks {
    values: RankedValues;
  }
}

export const MAX_BREAKDOWN_VALUES = 6;

export type Shown = { by: Dimension; values: readonly string[]; others: number };

export async function shownBySql(
  run: SqlRun,
  by: Dimension,
  selection: EventSelection,
): Promise<Shown> {
  const given = givenValues(by);
  if (given) return { by, values: given, others: 0 };
  const { column, value } = dimensionSql(by, run.sql.dialect);
  const events = countedEvents(selectEvents(run.source, selection), ['occurred_at', column]);
  const rows = await readRows(
    run,
    `SELECT *, count(*) OVER () FROM
      (SELECT ${value} AS value, count(*) AS seen FROM ${events} GROUP BY 1)
      ORDER BY seen DESC, value LIMIT ${MAX_BREAKDOWN_VALUES}`,
  );
  const all = Number(rows[0]?.[2] ?? 0);
  return { by, values: rows.map(([text]) => String(text)), others: all - rows.length };
}

/** All but the rest and missing numbers. */
export const isAlwaysShown = ({ by }: Shown, value: string | null): boolean =>
  value !== null && !(givenValues(by) !== null && value === MISSING[by.kind]);

export const placeSql = (values: readonly string[], text: string, sql: SqlDialect): string =>
  values.length === 0
    ? '0'
    : `(coalesce(${sql.placeAmong(values, text)}, ${values.length + 1}) - 1)`;

/** The place of a row's value, from 0; that of all others is the last. */
export function shownPlace({ by, values }: Shown, sql: SqlDialect) {
  const { column, value } = dimensionSql(by, sql);
  return { column, place: placeSql(values, value, sql), places: values.length + 1 };
}

export const brokenDown = ({ by, others }: Shown): BrokenDown => ({
  others,
  ...(by.kind === 'prop' && by.bounds && { bounds: by.bounds }),
});
