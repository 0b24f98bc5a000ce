import { at, onlyRow, must } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import type { Share } from '../reading/projection/share.ts';
import { read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import type { EventSource, Events } from '../reading/source/events.ts';
import { tallyEvents } from '../reading/tally.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { SummaryCounter, type SummaryValues } from './projected.ts';
import { type Counted, morePeople, NO_PLATFORM, NO_VERSION, ranked } from './rank.ts';

/** Bits of a BIGINT without its sign and without bit 0, which positions from 1 do not use. */
const BITS = 62;

type Dimension = {
  column: string;
  values: readonly string[];
  /** Also counts rows without a value; null when there are none. */
  missing: string | null;
};

type Plan = {
  kept: Kept[];
  conditions: string[];
};

/**
 * A list position depends on one column: DuckDB computes it once per dictionary entry, not per row.
 */
function toPlan({ column, values, missing }: Dimension): Plan {
  const missingAt = missing === null ? -1 : values.indexOf(missing);
  const listed = values.map(textLiteral);
  if (missingAt !== -1) listed.push('NULL');
  const kept: Kept[] = [];
  const conditions: string[] = [];
  for (let start = 0; start < listed.length; start += BITS) {
    const chunk = listed.slice(start, start + BITS);
    const name = `${column}_${start}`;
    const bit = `1::BIGINT << list_position([${chunk.join(', ')}], ${column})`;
    kept.push({ name, aggregate: `bit_or(${bit})` });
    for (const index of chunk.keys()) {
      conditions.push(`(${name} & ${2n ** BigInt(index + 1)}) <> 0`);
    }
  }
  if (missingAt === -1) return { kept, conditions };
  const withoutValue = must(conditions.pop(), 'NULL is listed last');
  conditions[missingAt] = `${at(conditions, missingAt)} OR ${withoutValue}`;
  return { kept, conditions };
}

/** A person is grouped once, whatever the number of values. */
function peopleSql(events: Events, dimensions: readonly Dimension[]): string {
  const plans = dimensions.map(toPlan);
  const counts = plans
    .flatMap(({ conditions }) => conditions)
    .map((condition) => `, countif(${condition})`);
  const kept = plans.flatMap((plan) => plan.kept);
  return `SELECT count(*)${counts.join('')} FROM (${personRows(
    events,
    dimensions.map(({ column }) => column),
    kept,
  )})`;
}

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
