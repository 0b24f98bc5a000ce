import { at, onlyRow } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import type { Share } from '../reading/projection/share.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import type { EventSource } from '../reading/source/events.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import { type Tally, tallyEvents, tallyRows } from '../reading/tally.ts';
import type { SqlDialect } from '../selection/property.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { SummaryCounter, type SummaryValues } from './projected.ts';
import { type Counted, morePeople, NO_PLATFORM, NO_VERSION, ranked } from './rank.ts';

/** Bits of a BIGINT without its sign and without bit 0, which positions from 1 do not use. */
const BITS = 62;

type Dimension = { column: string; values: readonly string[]; missing?: string };

type Plan = { kept: Kept[]; conditions: string[] };

/**
 * A list position depends on one column: DuckDB computes it once per dictionary entry, not per row.
 */
function toPlan({ column, values, missing }: Dimension, sql: SqlDialect): Plan {
  const text = missing === undefined ? column : `coalesce(${column}, ${textLiteral(missing)})`;
  const kept: Kept[] = [];
  const conditions: string[] = [];
  for (let start = 0; start < values.length; start += BITS) {
    const chunk = values.slice(start, start + BITS);
    const name = `${column}_${start}`;
    kept.push({ name, aggregate: sql.mergeBits(sql.bit(sql.placeAmong(chunk, text))) });
    for (const index of chunk.keys()) {
      conditions.push(`${sql.bitsIn(name, 2n ** BigInt(index + 1))} <> 0`);
    }
  }
  return { kept, conditions };
}

/** A person is grouped once, whatever the number of values. */
function peopleSql(run: SqlRun, dimensions: readonly Dimension[]): string {
  const plans = dimensions.map((one) => toPlan(one, run.sql.dialect));
  const counts = plans
    .flatMap(({ conditions }) => conditions)
    .map((condition) => `, count_if(${condition})`);
  const columns = dimensions.map(({ column }) => column);
  const people = personRows(
    run,
    columns,
    plans.flatMap(({ kept }) => kept),
  );
  return `SELECT count(*)${counts.join('')} FROM (${people})`;
}

/** Projections know the platforms and versions of production only. */
function hasProductionOnly({ environment, files, hotRows }: EventSource): boolean {
  if (environment !== 'all') return environment === 'production';
  return (
    files.every(({ developmentRows }) => developmentRows === 0) &&
    hotRows.every((row) => row.environment === 'production')
  );
}

async function countBySql(run: SqlRun, { names, platforms, versions }: SummaryValues) {
  const sql = peopleSql(run, [
    { column: 'name', values: names },
    { column: 'platform', values: platforms, missing: NO_PLATFORM },
    { column: 'app_version', values: versions, missing: NO_VERSION },
  ]);
  return onlyRow(await readRows(run, sql)).map(Number);
}

function countPeople(run: QueryRun, values: SummaryValues): Promise<number[]> {
  const start = (share: Share) => {
    const counter = new SummaryCounter(share, values);
    const task = { kind: 'summary' as const, question: values };
    return { counter, task, answer: () => counter.counts() };
  };
  return read(run, {
    projected: hasProductionOnly(run.source) ? { suits: { wantsInside: true }, start } : null,
    sql: () => countBySql(run, values),
  });
}

async function answer(
  tally: Tally,
  { limit }: SummaryQuestion,
  peopleOf: (values: SummaryValues) => Promise<number[]>,
): Promise<SummaryAnswer> {
  const names = ranked(tally.names, '');
  const shown = names.slice(0, limit);
  const platforms = ranked(tally.platforms, NO_PLATFORM);
  const versions = ranked(tally.versions, NO_VERSION).slice(0, limit);
  const counts = await peopleOf({
    names: shown.map(({ value }) => value),
    platforms: platforms.map(({ value }) => value),
    versions: versions.map(({ value }) => value),
    noPlatform: NO_PLATFORM,
    noVersion: NO_VERSION,
  });
  let next = 0;
  const take = () => at(counts, next++);
  const people = take();
  const withPeople = <T>(list: readonly T[]) => list.map((entry) => ({ ...entry, people: take() }));
  const namesWithPeople = withPeople(shown);
  const group = (list: readonly Counted[]) =>
    withPeople(list.map(({ value }) => ({ value }))).toSorted(morePeople);
  return {
    people,
    events: names.reduce((sum, { events }) => sum + events, 0),
    firstAtUs: tally.firstAtUs,
    lastAtUs: tally.lastAtUs,
    names: namesWithPeople,
    platforms: group(platforms),
    versions: group(versions),
  };
}

export const summarise = async (run: QueryRun, question: SummaryQuestion): Promise<SummaryAnswer> =>
  answer(await tallyEvents(run), question, (values) => countPeople(run, values));

export const summariseBySql = async (
  run: SqlRun,
  question: SummaryQuestion,
): Promise<SummaryAnswer> =>
  answer(await tallyRows(run), question, (values) => countBySql(run, values));
