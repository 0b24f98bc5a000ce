import { at, onlyRow } from '../../shared/assert.ts';
import type { Share } from '../reading/projection/share.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import type { EventSource } from '../reading/source/events.ts';
import { tallyEvents } from '../reading/tally.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { type Dimension, peopleSql } from './people-sql.ts';
import { SummaryCounter, type SummaryValues } from './projected.ts';
import { type Counted, morePeople, NO_PLATFORM, NO_VERSION, ranked } from './rank.ts';

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

function countPeople(
  run: QueryRun,
  values: SummaryValues,
  dimensions: readonly Dimension[],
): Promise<number[]> {
  const start = (share: Share) => {
    const counter = new SummaryCounter(share, values);
    const task = { kind: 'summary' as const, question: values };
    return { counter, task, answer: () => counter.counts() };
  };
  return read(run, {
    projected: hasProductionOnly(run.source) ? { suits: { wantsInside: true }, start } : null,
    sql: async () => {
      const result = await run.connection.run(peopleSql(run, dimensions));
      return onlyRow(await result.getRows()).map(Number);
    },
  });
}

export async function summarise(run: QueryRun, { limit }: SummaryQuestion): Promise<SummaryAnswer> {
  const tally = await tallyEvents(run);
  const names = ranked(tally.names, '');
  const shown = names.slice(0, limit);
  const platforms = ranked(tally.platforms, NO_PLATFORM);
  const versions = ranked(tally.versions, NO_VERSION).slice(0, limit);
  const values = {
    names: shown.map(({ value }) => value),
    platforms: platforms.map(({ value }) => value),
    versions: versions.map(({ value }) => value),
    noPlatform: NO_PLATFORM,
    noVersion: NO_VERSION,
  };
  const counts = await countPeople(run, values, [
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
