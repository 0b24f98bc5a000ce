import type { DuckDBConnection } from '@duckdb/node-api';
import { type EventSource, eventRelation, type Selection } from '../source.ts';
import type { Needs } from '../tables.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { type Dimension, peopleSql } from './people-sql.ts';

const PLATFORM = "coalesce(platform, 'other')";
const VERSION = "coalesce(app_version, 'unknown')";
/** Events that the service writes itself are nobody's doing (design §7). */
const OWN_EVENTS = "name NOT LIKE '$%'";

export const SUMMARY_NEEDS: Needs = {
  columns: ['name', 'platform', 'app_version', 'occurred_at'],
};

type Counted = { value: string; events: number };

/** Adds up one column of the combinations; most events first. */
function countBy(rows: readonly unknown[][], column: number): Counted[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = String(row[column]);
    counts.set(value, (counts.get(value) ?? 0) + Number(row[3]));
  }
  return [...counts]
    .map(([value, events]) => ({ value, events }))
    .toSorted((a, b) => b.events - a.events || (a.value < b.value ? -1 : 1));
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.run(sql)).getRows();
}

const toNumber = (value: unknown): number => Number(value ?? 0);
const toNumberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

const morePeople = (a: { value: string; people: number }, b: { value: string; people: number }) =>
  b.people - a.people || (a.value < b.value ? -1 : 1);

/** Counts are joined to nobody, so who a device belongs to does not matter, unless to leave it out. */
function anonymously(source: EventSource): EventSource {
  return source.erased.length > 0 ? source : { ...source, lateLinks: [] };
}

/** Everything in the summary of an app's events: exact, and each person grouped once. */
export async function summarise(
  connection: DuckDBConnection,
  source: EventSource,
  { fromUs, beforeUs, limit }: SummaryQuestion,
): Promise<SummaryAnswer> {
  const select = (columns: Selection['columns']) => ({
    columns,
    fromUs,
    beforeUs,
    where: OWN_EVENTS,
  });
  const counted = eventRelation(anonymously(source), select(['name', 'platform', 'app_version']));
  const combinations = await rowsOf(
    connection,
    `SELECT name, ${PLATFORM}, ${VERSION}, count(*) FROM ${counted} GROUP BY ALL`,
  );
  const timed = eventRelation(anonymously(source), select(['occurred_at']));
  const [ends] = await rowsOf(
    connection,
    `SELECT epoch_us(min(occurred_at)), epoch_us(max(occurred_at)) FROM ${timed}`,
  );
  const names = countBy(combinations, 0);
  const shownNames = names.slice(0, limit);
  const platforms = countBy(combinations, 1);
  const versions = countBy(combinations, 2).slice(0, limit);
  const dimensions: Dimension[] = [
    { expression: 'name', values: shownNames.map(({ value }) => value) },
    { expression: PLATFORM, values: platforms.map(({ value }) => value) },
    { expression: VERSION, values: versions.map(({ value }) => value) },
  ];
  const persons = eventRelation(source, select(['name', 'platform', 'app_version']));
  const [counts = []] = await rowsOf(connection, peopleSql(persons, dimensions));
  const peopleOf = (offset: number) => (_: unknown, index: number) =>
    toNumber(counts[1 + offset + index]);
  const peopleOfPlatform = peopleOf(shownNames.length);
  const peopleOfVersion = peopleOf(shownNames.length + platforms.length);
  return {
    people: toNumber(counts[0]),
    events: names.reduce((sum, { events }) => sum + events, 0),
    firstAtUs: toNumberOrNull(ends?.[0]),
    lastAtUs: toNumberOrNull(ends?.[1]),
    names: shownNames.map((name, index) => ({ ...name, people: peopleOf(0)(name, index) })),
    platforms: platforms
      .map(({ value }, index) => ({ value, people: peopleOfPlatform(value, index) }))
      .toSorted(morePeople),
    versions: versions
      .map(({ value }, index) => ({ value, people: peopleOfVersion(value, index) }))
      .toSorted(morePeople),
  };
}
