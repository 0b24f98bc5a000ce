import { join } from 'node:path';
import { columnTotals } from '../../src/event-store/catalogue/column-queries.ts';
import { liveFilesOfApp } from '../../src/event-store/catalogue/queries.ts';
import { chooseProperties } from '../../src/event-store/columns/choose.ts';
import { PropertyUses } from '../../src/event-store/columns/uses.ts';
import { writeColumns } from '../../src/event-store/columns/write-columns.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { QueryEngine } from '../../src/query/engine.ts';
import { CountingThreads } from '../../src/query/reading/threads/threads.ts';
import type { AppScope } from '../../src/shared/app.ts';
import { onlyRow } from '../../src/shared/assert.ts';
import { DAY_MS, systemClock } from '../../src/shared/time.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { WINDOW_US } from '../funnel/question.ts';
import { fillPlaces, loadTables, statementOf, TABLES } from '../peers/clickhouse.ts';
import { DAYS } from '../peers/ours.ts';
import { type Chdb, openChdb } from '../support/chdb.ts';
import { type BenchEvents, benchEvents } from '../support/event-files.ts';
import { option } from '../support/options.ts';
import { median, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { compareChecks, type EngineOptions, withoutProjections } from './checks.ts';
import { type Asked, DURATION, type Peer, questionsOf } from './questions.ts';

const EVENTS = Number(
  option('events') ?? (process.argv.includes('--quick') ? 200_000 : 10_000_000),
);
/** The events are dealt to so many apps, and the questions are one app's. */
const APPS = Number(option('apps') ?? 1);
const ROUNDS = Number(option('rounds') ?? 5);
/** Of a label; several between commas. */
const QUESTIONS = (option('question') ?? '').split(',');
/** Of ClickHouse too, see its statements. */
const THREADS = 2;
/** QUERY_MEMORY_MB. */
const MEMORY_MB = 4_096;
const CHECKS = process.argv.includes('--checks');
const STATEMENTS = join(import.meta.dir, 'clickhouse');

type Places = Record<string, string | number>;
type Setting = {
  engine: QueryEngine;
  /** As if no file had a projection. */
  bare: QueryEngine;
  chdb: Chdb | null;
  places: Places;
};

const COLUMNS = [
  { name: 'screen', type: 'LowCardinality(String)', read: 'JSONExtractString' },
  { name: 'price', type: 'Float64', read: 'JSONExtractFloat' },
  { name: DURATION, type: 'Float64', read: 'JSONExtractFloat' },
];

/** Columns beside the JSON, as a table would have them that knew the questions. */
async function addColumns(chdb: Chdb): Promise<void> {
  for (const { name, type, read } of COLUMNS) {
    const places = { name, type, value: `${read}(coalesce(props, ''), '${name}')` };
    for (const order of TABLES) {
      const table = `bench.${order}`;
      await chdb.ask(await statementOf(STATEMENTS, 'columns', { ...places, table }));
      await chdb.ask(await statementOf(STATEMENTS, 'fill', { ...places, table }));
    }
  }
}

/** A property that nobody has asked for, once by each, and then what maintenance makes of it. */
async function firstAsk(
  { engine, bare }: Setting,
  { events, uses, tempDir }: { events: BenchEvents; uses: PropertyUses; tempDir: string },
) {
  const isOfDurations = ({ label }: Asked) => label.includes('100,000');
  const [asked] = questionsOf(events).filter(isOfDurations);
  if (!asked) throw new Error('No question is of durations.');
  const times: { first: number[]; before: number[] } = { first: [], before: [] };
  const turns = [
    { by: engine, into: times.first },
    { by: bare, into: times.before },
  ];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Neither is always the one that follows the other.
    for (const { by, into } of round % 2 === 0 ? turns : turns.toReversed()) {
      const taken = await timed(() => asked.ask(by));
      if (round > 0) into.push(taken);
    }
  }
  const [first, before] = [median(times.first), median(times.before)];
  print({ label: 'a property never asked before', value: `${first.toFixed(0)} ms` });
  printRatio('  first ask / without projections', first / before, '≤ 1.0');
  await uses.write();
  const { sql, objects } = events;
  await chooseProperties(sql, Number.MAX_SAFE_INTEGER);
  const connection = await openEngine({ memoryMb: 512, threads: 1, tempDir });
  const began = process.cpuUsage();
  for (const file of await liveFilesOfApp(sql, events.appId)) {
    await writeColumns({ sql, objects, connection, clock: systemClock }, file);
  }
  const { user, system } = process.cpuUsage(began);
  connection.closeSync();
  const { bytes } = await columnTotals(sql);
  const { rows, projections } = onlyRow(
    await sql<{ rows: number; projections: number }[]>`
      SELECT sum(rows)::bigint AS rows, sum(projection_bytes)::bigint AS projections
      FROM event_files WHERE state = 'live'`,
  );
  const perEvent = (user + system) / rows;
  print({ label: '  its column: processor time an event', value: `${perEvent.toFixed(2)} µs` });
  print({ label: '  its column: bytes an event', value: (bytes / rows).toFixed(2) });
  print({ label: '  its column / projections', value: (bytes / projections).toFixed(3) });
}

type Way = { name: string; ms: () => Promise<number> };

function waysOf(
  { engine, bare, chdb, places }: Setting,
  { ask, peer, materialized }: Asked,
): Way[] {
  const ours = (name: string, by: QueryEngine): Way => ({ name, ms: () => timed(() => ask(by)) });
  const theirs = (name: string, table: string, asked: Peer): Way => ({
    name,
    ms: async () => {
      const all = { ...places, ...asked.places, events: table };
      // A place may hold others.
      const filled = Object.fromEntries(
        Object.entries(all).map(([place, text]) => [place, fillPlaces(String(text), all)]),
      );
      const { ms } = await chdb!.ask(await statementOf(STATEMENTS, asked.statement, filled));
      return ms;
    },
  });
  const ofPeers = TABLES.flatMap((table) => [
    theirs(`ClickHouse ${table}`, `bench.${table}`, peer),
    ...(materialized
      ? [theirs(`ClickHouse ${table}, as a column`, `bench.${table}`, materialized)]
      : []),
  ]);
  return [ours('ours', engine), ours('ours without projections', bare), ...(chdb ? ofPeers : [])];
}

/** Everyone in turns, so that what else the machine does meets all of them; medians by way. */
async function inTurns(ways: readonly Way[]): Promise<Map<string, number>> {
  const times = new Map(ways.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, ms } of ways) {
      const taken = await ms();
      // The first round warms everyone up.
      if (round > 0) times.get(name)?.push(taken);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

async function compare(setting: Setting, asked: Asked): Promise<void> {
  const counted = await asked.ask(setting.engine);
  const alike = await asked.ask(setting.bare);
  if (counted.join() !== alike.join()) throw new Error(`${asked.label}: ${counted} and ${alike}`);
  print({ label: `${asked.label}: counted`, value: counted.join(' ') });
  const medians = await inTurns(waysOf(setting, asked));
  for (const [name, ms] of medians) print({ label: `  ${name}`, value: `${ms.toFixed(0)} ms` });
  const ours = medians.get('ours') ?? Number.NaN;
  const quickest = (isColumn: boolean) =>
    Math.min(
      ...[...medians].flatMap(([name, ms]) =>
        name.startsWith('ClickHouse') && name.endsWith('as a column') === isColumn ? [ms] : [],
      ),
    );
  if (!setting.chdb) return;
  printRatio('  ours / the quicker order', ours / quickest(false), '≤ 0.8');
  if (asked.materialized) printRatio('  ours / as a column', ours / quickest(true), '≤ 1.5');
}

function engineOver(events: BenchEvents, options: EngineOptions) {
  return {
    engine: new QueryEngine({ ...options, hot: events.hot }),
    bare: new QueryEngine({ ...options, hot: withoutProjections(events.hot) }),
  };
}

/** Questions with conditions and breakdowns beside ClickHouse, two threads each, in one run. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const url = env.DATABASE_URL ?? '';
    // Of many apps, ours has only one app's files.
    const raw = APPS > 1 ? join(dataDir, 'raw.parquet') : undefined;
    const events = await benchEvents(url, dataDir, EVENTS, {
      ...{ apps: APPS, hasDurations: true },
      ...(raw !== undefined && { rawFile: raw }),
    });
    const chdb = CHECKS ? null : await openChdb(dataDir);
    if (chdb) {
      await loadTables(chdb, raw ?? `${dataDir}/events/**/*.parquet`);
      await addColumns(chdb);
    }
    const duck = await openDuck({
      ...{ memoryMb: MEMORY_MB, threads: THREADS },
      ...{ tempDir: `${dataDir}/tmp`, tempLimitMb: 4 * MEMORY_MB },
    });
    const threads = new CountingThreads({ threads: THREADS });
    await threads.ready();
    const uses = new PropertyUses(events.sql, (error) => {
      throw error;
    });
    const others = {
      ...{ timeoutMs: 300_000, onStuck: () => process.exit(1) },
      noteUse: (scope: AppScope, props: readonly string[]) => uses.note(scope, props),
    };
    const options = { duck, threads, ...others };
    const isWanted = ({ label }: Asked) => QUESTIONS.some((part) => label.includes(part));
    if (CHECKS) await compareChecks(events, { options, rounds: ROUNDS, isWanted });
    const { engine, bare } = engineOver(events, options);
    const { appId, startMs } = events;
    const places = {
      ...{ app: appId, window: WINDOW_US, from: startMs * 1_000 },
      before: (startMs + DAYS * DAY_MS) * 1_000,
    };
    const setting = { engine, bare, chdb, places };
    if (!CHECKS) await firstAsk(setting, { events, uses, tempDir: `${dataDir}/tmp-columns` });
    for (const asked of CHECKS ? [] : questionsOf(events).filter(isWanted)) {
      await compare(setting, asked);
    }
    await chdb?.close();
    await events.close();
    await threads.stop();
    duck.closeSync();
  });
}
