import type { DuckDBConnection } from '@duckdb/node-api';
import { at } from '../../shared/assert.ts';
import { armsSql } from '../funnel/arms.ts';
import { bucketSql } from '../reading/duckdb/buckets.ts';
import { firstSql, ORDER_COLUMNS } from '../reading/duckdb/first-event.ts';
import { personRows } from '../reading/duckdb/person-rows.ts';
import type { QueryRun } from '../reading/run.ts';
import { selectEvents } from '../reading/source/events.ts';
import { dimensionSql, MISSING } from '../selection/dimension.ts';
import { DUCKDB } from '../selection/property.ts';
import { BEFORE_ALL, type CohortsAnswer, type CohortsQuestion, NOT_SEEN } from './model.ts';

const PEOPLE = 'cohort_people';
const ASKED = 'cohort_asked';
const SHOWN = 6;

async function loadAsked(connection: DuckDBConnection, people: readonly string[]): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ASKED} (person VARCHAR, place INTEGER)`);
  const appender = await connection.createAppender(ASKED, 'main', 'temp');
  for (const [place, person] of people.entries()) {
    appender.appendVarchar(person);
    appender.appendInteger(place);
    appender.endRow();
  }
  appender.closeSync();
}

/** `person`, `first_us` of their first event of clients, `value`. */
function firstEventsSql({ source }: QueryRun, { boundariesUs, by }: CohortsQuestion): string {
  const beforeUs = at(boundariesUs, boundariesUs.length - 1);
  const events = selectEvents(source, { ofClients: true, beforeUs });
  if (by?.kind === 'first') {
    const { column, value } = dimensionSql(by.of);
    const first = { name: 'first', aggregate: firstSql(column), merge: 'min' as const };
    const rows = personRows(events, [...ORDER_COLUMNS, column], [first], { as: 'id' });
    return `SELECT person, epoch_us(first_at) AS first_us, ${value} AS value
      FROM (SELECT person, first.at AS first_at, first.value AS ${column} FROM (${rows}))`;
  }
  const earliest = { name: 'first_at', aggregate: 'min(occurred_at)', merge: 'min' as const };
  const rows = personRows(events, ['occurred_at'], [earliest], { as: 'id' });
  if (by === null)
    return `SELECT person, epoch_us(first_at) AS first_us, '' AS value FROM (${rows})`;
  const arms = armsSql(source, by, Math.min(by.exposedBeforeUs, beforeUs));
  return `SELECT e.person, epoch_us(e.first_at) AS first_us, coalesce(a.arm, '${MISSING.inArm}') AS value
    FROM (${rows}) e
    LEFT JOIN (${arms}) a ON a.person = e.person AND a.seen = 1 AND NOT a.overridden`;
}

async function loadPeople(run: QueryRun, question: CohortsQuestion): Promise<void> {
  const { boundariesUs } = question;
  await run.connection.run(`CREATE OR REPLACE TEMP TABLE ${PEOPLE} AS
    SELECT person, value, coalesce(${bucketSql(boundariesUs, DUCKDB, 'first_us')}, ${BEFORE_ALL}) AS bucket
    FROM (${firstEventsSql(run, question)})`);
}

/** The values of most people of the cohorts; the others are one. */
async function readSizes(
  connection: DuckDBConnection,
  { boundariesUs, cohorts }: CohortsQuestion,
): Promise<Pick<CohortsAnswer, 'sizes' | 'values'> & { placeOf: (value: string) => number }> {
  const result = await connection.run(
    `SELECT value, bucket::INTEGER, count(*)::INTEGER FROM ${PEOPLE} WHERE bucket >= 0 GROUP BY ALL`,
  );
  const byValue = new Map<string, number[]>();
  for (const [value, bucket, people] of await result.getRows()) {
    const sizes = byValue.get(String(value)) ?? boundariesUs.slice(1).map(() => 0);
    sizes[Number(bucket)] = Number(people);
    byValue.set(String(value), sizes);
  }
  const sum = (sizes: readonly number[]) => sizes.slice(0, cohorts).reduce((a, b) => a + b, 0);
  const ranked = [...byValue].toSorted(([a, x], [b, y]) => sum(y) - sum(x) || (a < b ? -1 : 1));
  const shown = ranked.slice(0, SHOWN);
  const places = new Map(shown.map(([value], place) => [value, place]));
  const rest = boundariesUs
    .slice(1)
    .map((_, bucket) => ranked.slice(SHOWN).reduce((all, [, sizes]) => all + at(sizes, bucket), 0));
  return {
    values: [...shown.map(([value]) => value), null],
    sizes: [...shown.map(([, sizes]) => sizes), rest],
    placeOf: (value) => places.get(value) ?? shown.length,
  };
}

/** When people were first seen, and when those asked for were. */
export async function countCohorts(
  run: QueryRun,
  question: CohortsQuestion,
): Promise<CohortsAnswer> {
  const { connection, source } = run;
  await loadAsked(connection, question.people);
  await loadPeople(run, question);
  const { placeOf, ...counted } = await readSizes(connection, question);
  const intervals = question.people.map(() => NOT_SEEN);
  const places = question.people.map(() => NOT_SEEN);
  const result = await connection.run(
    `SELECT a.place, p.bucket::INTEGER, p.value FROM ${ASKED} a JOIN ${PEOPLE} p USING (person)`,
  );
  for (const [place, bucket, value] of await result.getRows()) {
    intervals[Number(place)] = Number(bucket);
    places[Number(place)] = placeOf(String(value));
  }
  return { dataThroughMs: source.dataThroughMs, ...counted, intervals, places };
}
