import { join } from 'node:path';
import { QueryEngine } from '../../src/query/engine.ts';
import { CountingThreads } from '../../src/query/reading/threads/threads.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { WINDOW_US } from '../funnel/question.ts';
import { loadTables, statementOf, TABLES } from '../peers/clickhouse.ts';
import { DAYS } from '../peers/ours.ts';
import { type Chdb, openChdb } from '../support/chdb.ts';
import { type BenchEvents, benchEvents } from '../support/event-files.ts';
import { option } from '../support/options.ts';
import { median, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { type Asked, type Peer, questionsOf } from './questions.ts';

const EVENTS = Number(
  option('events') ?? (process.argv.includes('--quick') ? 200_000 : 10_000_000),
);
const ROUNDS = Number(option('rounds') ?? 5);
/** Of ClickHouse too, see its statements. */
const THREADS = 2;
/** QUERY_MEMORY_MB. */
const MEMORY_MB = 4_096;
const STATEMENTS = join(import.meta.dir, 'clickhouse');

type Places = Record<string, string | number>;
type Setting = {
  engine: QueryEngine;
  /** As if no file had a projection. */
  bare: QueryEngine;
  chdb: Chdb | null;
  places: Places;
};

/** A column beside the JSON, as a table would have it that knew the question. */
async function addColumn(chdb: Chdb): Promise<void> {
  const places = {
    name: 'screen',
    type: 'LowCardinality(String)',
    value: "JSONExtractString(coalesce(props, ''), 'screen')",
  };
  for (const name of TABLES) {
    const table = `bench.${name}`;
    await chdb.ask(await statementOf(STATEMENTS, 'columns', { ...places, table }));
    await chdb.ask(await statementOf(STATEMENTS, 'fill', { ...places, table }));
  }
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
      const { ms } = await chdb!.ask(await statementOf(STATEMENTS, asked.statement, all));
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

function engineOver(
  events: BenchEvents,
  options: Omit<ConstructorParameters<typeof QueryEngine>[0], 'hot'>,
) {
  const bare = {
    snapshot: async (...asked: Parameters<BenchEvents['hot']['snapshot']>) => {
      const snapshot = await events.hot.snapshot(...asked);
      return { ...snapshot, files: snapshot.files.map((file) => ({ ...file, projection: null })) };
    },
  };
  return {
    engine: new QueryEngine({ ...options, hot: events.hot }),
    bare: new QueryEngine({ ...options, hot: bare }),
  };
}

/** Questions with conditions and breakdowns beside ClickHouse, two threads each, in one run. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const events = await benchEvents(env.DATABASE_URL ?? '', dataDir, EVENTS);
    const chdb = await openChdb(dataDir);
    if (chdb) {
      await loadTables(chdb, `${dataDir}/events/**/*.parquet`);
      await addColumn(chdb);
    }
    const duck = await openDuck({
      ...{ memoryMb: MEMORY_MB, threads: THREADS },
      ...{ tempDir: `${dataDir}/tmp`, tempLimitMb: 4 * MEMORY_MB },
    });
    const threads = new CountingThreads({ threads: THREADS });
    await threads.ready();
    const stuck = { timeoutMs: 300_000, onStuck: () => process.exit(1) };
    const { engine, bare } = engineOver(events, { duck, threads, ...stuck });
    const { appId, startMs } = events;
    const places = {
      ...{ app: appId, window: WINDOW_US, from: startMs * 1_000 },
      before: (startMs + DAYS * DAY_MS) * 1_000,
    };
    for (const asked of questionsOf(events)) await compare({ engine, bare, chdb, places }, asked);
    await chdb?.close();
    await events.close();
    await threads.stop();
    duck.closeSync();
  });
}
