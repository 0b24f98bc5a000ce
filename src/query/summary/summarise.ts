import type { DuckDBConnection } from '@duckdb/node-api';
import { at, onlyRow } from '../../shared/assert.ts';
import { type Part, partsOf } from '../projection/parts.ts';
import type { Conditions, EventSource } from '../source.ts';
import { ensureTables, type Needs } from '../tables.ts';
import type { CountingThreads } from '../threads/threads.ts';
import { type Counting, countTogether, shareOf } from '../threads/together.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { type Dimension, peopleSql } from './people-sql.ts';
import { SummaryCounter, type SummaryValues } from './projected.ts';
import { type Counted, morePeople, NO_PLATFORM, NO_VERSION, ranked } from './rank.ts';
import { tallyEvents } from './tally.ts';

export const SUMMARY_NEEDS: Needs = {
  columns: ['name', 'platform', 'app_version', 'occurred_at'],
  counts: true,
};

/** For counts, which projections may answer. */
export const SUMMARY_COUNT_NEEDS: Needs = { ...SUMMARY_NEEDS, projections: true };

function dimension(column: string, counted: readonly Counted[], missing: string | null): Dimension {
  return { column, values: counted.map(({ value }) => value), missing };
}

/** Projections know the platforms and versions of production only. */
function hasProductionOnly({ environment, files, hotRows }: EventSource): boolean {
  if (environment !== 'all') return environment === 'production';
  return (
    files.every(({ developmentRows }) => developmentRows === 0) &&
    hotRows.every((row) => row.environment === 'production')
  );
}

async function readPeople(
  connection: DuckDBConnection,
  source: EventSource,
  conditions: Conditions,
  dimensions: readonly Dimension[],
): Promise<number[]> {
  await ensureTables(connection, source, SUMMARY_NEEDS);
  const selection = { ...conditions, columns: ['name', 'platform', 'app_version'] };
  const result = await connection.run(peopleSql(source, selection, dimensions));
  return onlyRow(await result.getRows()).map(Number);
}

async function projectedPeople(
  parts: readonly Part[],
  source: EventSource,
  question: SummaryValues,
  counting: Counting,
): Promise<number[]> {
  const share = shareOf(parts, source, counting.threads);
  const counter = new SummaryCounter(share, question);
  await countTogether(counter, { task: { kind: 'summary', question }, share }, counting);
  return counter.counts();
}

/** The summary of an app's events: exact, with each person grouped once. */
export async function summarise(
  connection: DuckDBConnection,
  source: EventSource,
  { fromUs, beforeUs, limit }: SummaryQuestion,
  checkTime: () => void = () => undefined,
  threads: CountingThreads | null = null,
): Promise<SummaryAnswer> {
  const conditions = { fromUs, beforeUs, ofClients: true };
  const tally = await tallyEvents(connection, source, conditions);
  const names = ranked(tally.names, '');
  const shown = names.slice(0, limit);
  const platforms = ranked(tally.platforms, NO_PLATFORM);
  const versions = ranked(tally.versions, NO_VERSION).slice(0, limit);
  const parts = hasProductionOnly(source)
    ? await partsOf(connection, source, conditions, { wantsInside: true })
    : null;
  const values = {
    names: shown.map(({ value }) => value),
    platforms: platforms.map(({ value }) => value),
    versions: versions.map(({ value }) => value),
    noPlatform: NO_PLATFORM,
    noVersion: NO_VERSION,
  };
  const counts = parts
    ? await projectedPeople(parts, source, values, { checkTime, threads })
    : await readPeople(connection, source, conditions, [
        dimension('name', shown, null),
        dimension('platform', platforms, tally.platforms.has(null) ? NO_PLATFORM : null),
        dimension('app_version', versions, tally.versions.has(null) ? NO_VERSION : null),
      ]);
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
