import type { DuckDBConnection } from '@duckdb/node-api';
import { type EventSource, eventRelation, type Selection } from '../source.ts';
import type { Needs } from '../tables.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { type Dimension, peopleSql } from './people-sql.ts';

/** Events that the service writes itself are nobody's doing (design §7). */
const OWN_EVENTS = "name NOT LIKE '$%'";
/** Where a client did not say. */
const NO_PLATFORM = 'other';
const NO_VERSION = 'unknown';

export const SUMMARY_NEEDS: Needs = {
  columns: ['name', 'platform', 'app_version', 'occurred_at'],
};

/** Events of each name, platform and version together, and when the first and last occurred. */
type Combination = {
  name: string;
  platform: string | null;
  version: string | null;
  events: number;
  firstAtUs: number;
  lastAtUs: number;
};

type Counted = { value: string; events: number };

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

async function combinationsOf(
  connection: DuckDBConnection,
  source: EventSource,
  selection: Omit<Selection, 'columns'>,
): Promise<Combination[]> {
  // Who a device belongs to does not matter to a count, unless it tells whom to leave out.
  const counted = source.erased.length > 0 ? source : { ...source, lateLinks: [] };
  const relation = eventRelation(counted, {
    ...selection,
    columns: ['name', 'platform', 'app_version', 'occurred_at'],
  });
  const result = await connection.run(
    `SELECT name, platform, app_version, count(*), epoch_us(min(occurred_at)),
        epoch_us(max(occurred_at))
      FROM ${relation} GROUP BY ALL`,
  );
  const rows = await result.getRows();
  return rows.map(([name, platform, version, events, first, last]) => ({
    name: String(name),
    platform: textOrNull(platform ?? null),
    version: textOrNull(version ?? null),
    events: Number(events),
    firstAtUs: Number(first),
    lastAtUs: Number(last),
  }));
}

/** Most events first. */
function countBy(
  combinations: readonly Combination[],
  labelOf: (combination: Combination) => string,
): Counted[] {
  const counts = new Map<string, number>();
  for (const one of combinations) {
    counts.set(labelOf(one), (counts.get(labelOf(one)) ?? 0) + one.events);
  }
  return [...counts]
    .map(([value, events]) => ({ value, events }))
    .toSorted((a, b) => b.events - a.events || (a.value < b.value ? -1 : 1));
}

const morePeople = (a: { value: string; people: number }, b: { value: string; people: number }) =>
  b.people - a.people || (a.value < b.value ? -1 : 1);

function dimension(column: string, counted: readonly Counted[], missing: string | null): Dimension {
  return { column, values: counted.map(({ value }) => value), missing };
}

/** Everything in the summary of an app's events: exact, and each person grouped once. */
export async function summarise(
  connection: DuckDBConnection,
  source: EventSource,
  { fromUs, beforeUs, limit }: SummaryQuestion,
): Promise<SummaryAnswer> {
  const selection = { fromUs, beforeUs, where: OWN_EVENTS };
  const combinations = await combinationsOf(connection, source, selection);
  const names = countBy(combinations, (one) => one.name);
  const shown = names.slice(0, limit);
  const platforms = countBy(combinations, (one) => one.platform ?? NO_PLATFORM);
  const versions = countBy(combinations, (one) => one.version ?? NO_VERSION).slice(0, limit);
  const isMissing = (of: 'platform' | 'version') => combinations.some((one) => one[of] === null);
  const result = await connection.run(
    peopleSql(source, { ...selection, columns: ['name', 'platform', 'app_version'] }, [
      dimension('name', shown, null),
      dimension('platform', platforms, isMissing('platform') ? NO_PLATFORM : null),
      dimension('app_version', versions, isMissing('version') ? NO_VERSION : null),
    ]),
  );
  const [counts = []] = await result.getRows();
  let next = 0;
  const take = () => Number(counts[next++] ?? 0);
  const people = take();
  const withPeople = <T>(list: readonly T[]) => list.map((one) => ({ ...one, people: take() }));
  const namesWithPeople = withPeople(shown);
  const group = (list: readonly Counted[]) =>
    withPeople(list.map(({ value }) => ({ value }))).toSorted(morePeople);
  const ends = (of: 'firstAtUs' | 'lastAtUs') => combinations.map((one) => one[of]);
  const hasEvents = combinations.length > 0;
  return {
    people,
    events: names.reduce((sum, { events }) => sum + events, 0),
    firstAtUs: hasEvents ? ends('firstAtUs').reduce((a, b) => Math.min(a, b)) : null,
    lastAtUs: hasEvents ? ends('lastAtUs').reduce((a, b) => Math.max(a, b)) : null,
    names: namesWithPeople,
    platforms: group(platforms),
    versions: group(versions),
  };
}
