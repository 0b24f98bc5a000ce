import { KeyIndex } from '../../src/event-store/dedup/key-index.ts';
import { planJobs, runJob } from '../../src/event-store/maintenance/jobs.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { eraseFromEvents } from '../../src/event-store/people/erasure-queries.ts';
import { QueryEngine } from '../../src/query/engine.ts';
import { CountingThreads } from '../../src/query/reading/threads/threads.ts';
import { DAY_MS, systemClock } from '../../src/shared/time.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { WINDOW_US } from '../funnel/question.ts';
import { type Chdb, openChdb } from '../support/chdb.ts';
import { type BenchEvents, benchEvents } from '../support/event-files.ts';
import { option } from '../support/options.ts';
import { median, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { askPeer, loadTables, megabytesOf, type Places, TABLES } from './clickhouse.ts';
import { DAYS, exportPerson, ourReports } from './ours.ts';

const QUICK = process.argv.includes('--quick');
const EVENTS = Number(option('events') ?? (QUICK ? 200_000 : 10_000_000));
/** The events are dealt to so many apps, and the reports are one app's. */
const APPS = Number(option('apps') ?? 1);
const ROUNDS = Number(option('rounds') ?? 5);
/** Without a person's export and erasure. */
const ONLY_REPORTS = process.argv.includes('--reports');
/** Characters of ClickHouse's answer that are printed. */
const SHOWN = 60;
/** Of ClickHouse too, see its statements. */
const THREADS = 2;
/** QUERY_MEMORY_MB. */
const MEMORY_MB = 4_096;
/** Signed in, and of the first app. */
const PERSON = 'user_0';

type Report = keyof ReturnType<typeof ourReports>;
/** At most so many times the time of ClickHouse by person, and of its quicker order. */
const GOALS: Record<Report, { byPerson: number; better: number | null }> = {
  funnel: { byPerson: 0.6, better: 1 },
  summary: { byPerson: 0.4, better: null },
  dau: { byPerson: 1, better: null },
  retention: { byPerson: 1, better: null },
};

type Setting = { engine: QueryEngine; events: BenchEvents; chdb: Chdb | null; places: Places };

/** The same question to everyone in turns, so that what else the machine does meets all of them. */
async function compare(
  label: string,
  ours: () => Promise<unknown>,
  chdb: Chdb | null,
  ask: (chdb: Chdb, events: string) => Promise<{ ms: number }>,
  peers: Record<string, string>,
): Promise<{ ours: number; peers: Map<string, number> }> {
  const times: number[] = [];
  const theirs = new Map<string, number[]>(Object.keys(peers).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    const mine = await timed(ours);
    // The first round warms everyone up.
    if (round > 0) times.push(mine);
    if (!chdb) continue;
    for (const [name, events] of Object.entries(peers)) {
      const { ms } = await ask(chdb, events);
      if (round > 0) theirs.get(name)?.push(ms);
    }
  }
  print({ label, value: `${median(times).toFixed(0)} ms` });
  const medians = new Map([...theirs].map(([name, all]) => [name, median(all)]));
  if (chdb) {
    for (const [name, ms] of medians) {
      print({ label: `  ClickHouse, ${name}`, value: `${ms.toFixed(0)} ms` });
    }
  }
  return { ours: median(times), peers: medians };
}

async function compareReports({ engine, events, chdb, places }: Setting, parquet: string | null) {
  const reports = ourReports(engine, events);
  const peers = {
    'by person': 'bench.by_person',
    'by name, then person': 'bench.by_name',
    ...(parquet !== null && { 'the same Parquet files': parquet }),
  };
  const names: Report[] = ['funnel', 'summary', 'dau', 'retention'];
  for (const name of names) {
    const counted = await reports[name]();
    print({ label: `${name}: counted`, value: counted.join(' ') });
    if (chdb) {
      const { rows } = await askPeer(chdb, name, places, 'bench.by_person');
      const shown = rows.map((row) => row.join(':')).join(' ');
      print({ label: '  ClickHouse, without sign-ups and log', value: shown.slice(0, SHOWN) });
    }
    const ask = (peer: Chdb, from: string) => askPeer(peer, name, places, from);
    const { ours, peers: theirs } = await compare(`  ${name}`, reports[name], chdb, ask, peers);
    if (!chdb) continue;
    const byPerson = theirs.get('by person') ?? Number.NaN;
    const { byPerson: goal, better } = GOALS[name];
    printRatio(`  ${name} / by person`, ours / byPerson, `≤ ${goal.toFixed(1)}`);
    if (better === null) continue;
    const best = Math.min(byPerson, theirs.get('by name, then person') ?? Number.NaN);
    printRatio(`  ${name} / the quicker order`, ours / best, `≤ ${better.toFixed(1)}`);
  }
}

/** Until no answer has the person, and until no file has. */
async function erase({ sql, objects, orgId, appId }: BenchEvents, dataDir: string) {
  const connection = await openEngine({
    memoryMb: 256,
    threads: 1,
    tempDir: `${dataDir}/tmp-erase`,
  });
  const quiet = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const keys = new KeyIndex((path) => objects.localPath(path));
  const compactor = {
    sql,
    objects,
    connection,
    keys,
    clock: systemClock,
    log: quiet,
    logDir: `${dataDir}/log`,
  };
  const hidden = await timed(() =>
    sql.begin((tx) => eraseFromEvents(tx, { orgId, appId }, PERSON, [])),
  );
  let rewritten = 0;
  const gone = await timed(async () => {
    for (;;) {
      const jobs = (await planJobs(compactor)).filter(({ kind }) => kind === 'correct');
      if (jobs.length === 0) return;
      for (const job of jobs) await runJob(compactor, job);
      rewritten += jobs.length;
    }
  });
  connection.closeSync();
  return { hidden, gone, rewritten };
}

async function comparePerson({ engine, events, chdb, places }: Setting, dataDir: string) {
  const found = await exportPerson(engine, events, PERSON);
  print({ label: 'events of one person', value: String(found) });
  const tables = Object.fromEntries(TABLES.map((name) => [name, `bench.${name}`]));
  const ask = (peer: Chdb, table: string) => askPeer(peer, 'person', places, table);
  const ours = () => exportPerson(engine, events, PERSON);
  await compare('  export', ours, chdb, ask, tables);
  const { hidden, gone, rewritten } = await erase(events, dataDir);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  print({ label: '  erasure: in no answer after', value: seconds(hidden) });
  print({ label: `  erasure: in none of ${rewritten} files after`, value: seconds(gone) });
  if (!chdb) return;
  for (const name of TABLES) {
    const hide = await askPeer(chdb, 'hide', places, `bench.${name}`);
    print({ label: `  ClickHouse, ${name}: in no answer after`, value: seconds(hide.ms) });
    const erased = await askPeer(chdb, 'erase', places, `bench.${name}`);
    print({ label: `  ClickHouse, ${name}: in no part after`, value: seconds(erased.ms) });
  }
}

/**
 * The same events and questions here and in ClickHouse, two threads each, in one run: on the same
 * Parquet files and in MergeTree tables of two orders. Late sign-ups are stitched and events that
 * were sent twice dropped on our side only, where twenty thousand are still in the log.
 */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const rawFile = APPS > 1 ? `${dataDir}/raw.parquet` : undefined;
    const events = await benchEvents(env.DATABASE_URL ?? '', dataDir, EVENTS, {
      apps: APPS,
      ...(rawFile && { rawFile }),
    });
    const chdb = await openChdb(dataDir);
    const pattern = rawFile ?? `${dataDir}/events/**/*.parquet`;
    const parquet = chdb && (await loadTables(chdb, pattern));
    const duck = await openDuck({
      memoryMb: MEMORY_MB,
      threads: THREADS,
      tempDir: `${dataDir}/tmp`,
      tempLimitMb: 4 * MEMORY_MB,
    });
    const threads = new CountingThreads({ threads: THREADS });
    await threads.ready();
    const engine = new QueryEngine({
      duck,
      threads,
      hot: events.hot,
      timeoutMs: 300_000,
      onStuck: () => process.exit(1),
    });
    const { startMs } = events;
    const places = {
      app: events.appId,
      from: startMs * 1_000,
      before: (startMs + DAYS * DAY_MS) * 1_000,
      window: WINDOW_US,
      person: PERSON,
    };
    const setting = { engine, events, chdb, places };
    const sizes = await Promise.all(events.files.map(async (path) => Bun.file(path).size));
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
    print({
      label: `${EVENTS / 1e6} million events of ${APPS} apps`,
      value: `${events.files.length} files`,
    });
    print({ label: '  megabytes in our files', value: megabytes.toFixed(0) });
    if (chdb) {
      for (const name of TABLES) {
        const size = await megabytesOf(chdb, name);
        print({ label: `  megabytes in ClickHouse, ${name}`, value: size.toFixed(0) });
      }
    }
    await compareReports(setting, APPS === 1 ? parquet : null);
    if (!ONLY_REPORTS) await comparePerson(setting, dataDir);
    await chdb?.close();
    await events.close();
    await threads.stop();
    duck.closeSync();
  });
}
