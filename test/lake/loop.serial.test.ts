import { afterAll, expect, test } from 'bun:test';
import { sweepRetired } from '../../src/event-store/catalogue/sweep.ts';
import type { StoredEvent } from '../../src/event-store/event/stored-batch.ts';
import {
  deleteAppEvents,
  eraseFromEvents,
  finishErasures,
} from '../../src/event-store/people/erasure-queries.ts';
import { newId } from '../../src/shared/ids.ts';
import { textList } from '../../src/storage/duckdb-literal.ts';
import { openEventStore } from '../support/event-store.ts';
import { event } from '../support/events.ts';
import { lakeDocument } from '../support/lake/docs.ts';
import { livePaths, maintain, merge, take } from '../support/lake/events.ts';
import { lakeOf } from '../support/lake/lake.ts';
import {
  findReaders,
  openTrino,
  type Report,
  type Scan,
  writeControl,
} from '../support/lake/loop-readers.ts';
import { checkNoOrphan } from '../support/lake/orphans.ts';
import { LAKE_TOKEN, serveLake } from '../support/lake/serve.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun, randomFrom } from '../support/random.ts';

const database = await testDatabase();
const { sql } = database;
const store = await openEventStore(sql);
/** Two hosts that publish. */
const hosts = [lakeOf(sql, store), lakeOf(sql, store)] as const;
const uri = await serveLake(database, store);
const { readers, trinoUrl, stop } = await findReaders({
  ...{ uri, token: LAKE_TOKEN, databaseUrl: database.url },
});
afterAll(stop);
for (const [name, reader] of Object.entries(readers)) {
  if (reader === null) console.log(`not run: ${name} reads the lake in a loop.`);
}

const random = randomFrom(Number(process.env.LAKE_SEED ?? 23));
const int = (below: number) => Math.floor(random() * below);
const APPS = [newId('app'), newId('app'), newId('app')] as const;
const [FIRST, KEPT_BRIEFLY, DELETED] = APPS;
const DAY_MS = 86_400_000;
/** Steps are a minute's publication each, and the lake grows older by so many hours in each. */
const STEPS = isFullRun ? 120 : 12;
const HOURS = 5;
/** Steps that a scan may take: what it reads has been promised to stay for a day. */
const STEPS_OF_A_SCAN = 2;

let made = 0;
let sent: StoredEvent[] = [];

/** New events of people of these steps, each with a number, and some that were sent before. */
function batch(step: number, count: number, app: string): StoredEvent[] {
  const events = Array.from({ length: count }, () => {
    made += 1;
    const person = `${app.slice(-4)}-${Math.max(0, step - int(4))}-${int(5)}`;
    const ts = new Date(Date.now() - int(6 * DAY_MS)).toISOString();
    // Most are linked late: their earlier events are corrected.
    const user = int(4) === 0 ? { userId: `user-${person}` } : {};
    const id = `event-${made}`;
    return event({ id, anonymousId: `device-${person}`, name: `s${int(4)}`, ts, ...user });
  });
  const again = sent.slice(0, 5);
  sent = app === FIRST ? events : sent;
  return app === FIRST ? [...events, ...again, ...events.slice(0, 3)] : events;
}

const published = new Map<number, Scan>();

/** What a reader has to find in the snapshot that was just published: by the service's own files. */
async function notePublished(): Promise<void> {
  const [row] = await sql<{ snapshot: number; total: string }[]>`
    SELECT t.snapshot_id AS snapshot, s.summary::json->>'total-records' AS total
    FROM lake_tables t JOIN lake_snapshots s USING (table_name, snapshot_id)
    WHERE t.table_name = 'events'`;
  const paths = (await livePaths(sql)).map((path) => `${store.dir}/objects/${path}`);
  const reader = await store.connection.runAndReadAll(
    `SELECT count(*)::INTEGER, count(DISTINCT event_id)::INTEGER, sum(substr(event_id, 7)::BIGINT)::DOUBLE
     FROM read_parquet([${textList(paths)}], union_by_name = true)`,
  );
  const [rows, different, sum] = reader.getRows()[0]!.map(Number);
  expect(Number(row!.total)).toBe(rows!);
  expect(different).toBe(rows!);
  const snapshot = Number(row!.snapshot);
  published.set(snapshot, { snapshot, rows: rows!, different: different!, sum: sum! });
}

async function erasuresLeft(): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    SELECT count(*) AS left FROM event_erasures WHERE subject IS NOT NULL`;
  return row!.left;
}

/** Everything is so much longer ago, and what has to go then goes. */
async function grow(hours: number): Promise<void> {
  const by = `${hours} hours`;
  await sql`UPDATE event_files SET retired_at = retired_at - ${by}::interval WHERE state = 'retired'`;
  await sql`UPDATE event_leases SET taken_at = taken_at - ${by}::interval, expires_at = expires_at - ${by}::interval`;
  await sql`UPDATE lake_snapshots SET timestamp_ms = timestamp_ms - ${hours * 3_600_000}`;
  await sweepRetired(store.compaction);
  await hosts[0].sweep();
}

test('readers find every file and no row twice through hours of ingest, merges, corrections, erasures and expiry', async () => {
  const control = `${store.dir}/control.json`;
  const [erased, people, apps]: [string[], string[], string[]] = [[], [], []];
  const tell = (step: number, isOver = false) =>
    writeControl(control, { step, people, apps, isOver });
  await sql`
    INSERT INTO apps (app_id, org_id, slug, display_name, region, status, source, created_at)
    VALUES (${KEPT_BRIEFLY}, 'org_1', 'kept-briefly', 'App', 'us-east-1', 'active', 'built_here', now())`;
  await sql`
    INSERT INTO app_datasets (app_id, org_id, event_retention_days)
    VALUES (${KEPT_BRIEFLY}, 'org_1', 4)`;
  await take(store, ...APPS.map((app): [string, StoredEvent[]] => [app, batch(0, 30, app)]));
  await hosts[0].publish();
  await notePublished();
  tell(0);

  const reports = new Map<string, Report[]>();
  let changed = Promise.withResolvers<void>();
  const failed: unknown[] = [];
  const running = Object.entries(readers).flatMap(([name, reader]) => {
    if (reader === null) return [];
    const list: Report[] = [];
    reports.set(name, list);
    const onReport = (report: Report) => {
      list.push(report);
      changed.resolve();
    };
    const ended = reader(control, onReport).catch((thrown: unknown) => {
      failed.push(new Error(`${name}: ${thrown}`));
      changed.resolve();
    });
    return [ended];
  });
  /** Until every reader has ended a scan that began in this step or later. */
  const readersAt = async (step: number) => {
    while ([...reports.values()].some((list) => (list.at(-1)?.began ?? -1) < step)) {
      if (failed.length > 0) throw failed[0];
      await changed.promise;
      changed = Promise.withResolvers();
    }
  };

  for (let step = 1; step <= STEPS; step += 1) {
    const of = APPS.slice(0, step < STEPS / 2 ? 3 : 2);
    await take(store, ...of.map((app): [string, StoredEvent[]] => [app, batch(step, 20, app)]));
    if (step % 4 === 3) await maintain(store.compaction, 2, 3);
    if (step % 5 === 2) await merge(store);
    if (step >= 6 && step % 3 === 0) {
      const person = `${FIRST.slice(-4)}-${step - 6}-${int(5)}`;
      erased.push(`user-${person}`, `device-${person}`);
      // Long enough ago that nobody sends events of theirs any more.
      const scope = { orgId: 'org_1', appId: FIRST };
      await sql.begin((tx) => eraseFromEvents(tx, scope, `device-${person}`, []));
    }
    if (step === Math.ceil(STEPS / 2))
      await deleteAppEvents(sql, { orgId: 'org_1', appId: DELETED });
    do {
      if (step % 6 === 0) await maintain(store.compaction);
      await finishErasures(sql);
    } while (step % 6 === 0 && (await erasuresLeft()) > 0);
    // By one host, by the other, or by both at once, of which one gives way.
    const by = step % 5 === 0 ? hosts : [hosts[step % 2]!];
    const done = await Promise.all(by.map((host) => host.publish()));
    expect(done.some((tables) => tables !== null)).toBe(true);
    await notePublished();
    if (step % 6 === 0) {
      // Corrected and published: from here on nothing of them may be found.
      people.push(...erased.splice(0));
      if (step >= STEPS / 2 && apps.length === 0) apps.push(DELETED);
    }
    await grow(HOURS);
    tell(step);
    await readersAt(step - STEPS_OF_A_SCAN);
  }
  tell(STEPS + 1, true);
  await readersAt(STEPS + 1);
  await Promise.all(running);
  if (failed.length > 0) throw failed[0];

  for (const [name, list] of reports) {
    const again = list.flatMap((report) => report.again ?? []);
    for (const scan of [...list.map(({ now }) => now), ...again]) {
      expect({ name, ...scan }).toEqual({ name, ...published.get(scan.snapshot)! });
    }
    expect(list.filter(({ left }) => left.some((count) => count > 0))).toEqual([]);
    const snapshots = new Set(list.map(({ now }) => now.snapshot)).size;
    console.log(`${name}: ${list.length + again.length} scans of ${snapshots} snapshots`);
    expect(snapshots).toBeGreaterThan(STEPS / (STEPS_OF_A_SCAN + 2));
  }
  expect(people.length).toBeGreaterThan(0);
  const [{ kept }] = await sql<[{ kept: number }]>`
    SELECT count(*) AS kept FROM lake_snapshots WHERE table_name = 'events'`;
  // Most expired meanwhile, while somebody read.
  expect(kept).toBeLessThan(published.size);
  await checkNoOrphan(sql, store);
}, 3_600_000);

test.skipIf(trinoUrl === null)(
  'Trino counts the events of an app as documented',
  async () => {
    const [, statement = ''] = /Then `(SELECT [^`]*)`/.exec(lakeDocument()) ?? [];
    const rows = await openTrino(trinoUrl!).run(
      statement.replace('app_…', FIRST),
      new AbortController().signal,
    );
    const paths = (await livePaths(sql)).map((path) => `${store.dir}/objects/${path}`);
    const reader = await store.connection.runAndReadAll(
      `SELECT name, count(*)::INTEGER FROM read_parquet([${textList(paths)}], union_by_name = true)
     WHERE app_id = '${FIRST}' GROUP BY 1`,
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(new Map(rows.map(([name, count]) => [String(name), Number(count)]))).toEqual(
      new Map(reader.getRows().map(([name, count]) => [String(name), Number(count)])),
    );
  },
  300_000,
);
