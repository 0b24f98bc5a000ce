import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LAST_COMMIT_KEY } from '../../../src/event-store/names.ts';
import {
  catalogueHealth,
  checkOwnCommit,
  checkSharedCommit,
} from '../../../src/event-store/hosts/last-commit.ts';
import {
  sweepColumns,
  sweepOrphans,
  sweepRetired,
} from '../../../src/event-store/catalogue/sweep.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { rebuildCatalogue } from '../../../src/event-store/rebuild/rebuild-catalogue.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { preparePostgres } from '../../../src/launcher/embedded/postgres.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { migrate } from '../../../src/storage/migrate.ts';
import { createSql } from '../../../src/storage/postgres.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { until } from '../../support/until.ts';

const APP = 'app_one';
const dataDir = mkdtempSync(join(tmpdir(), 'failover-'));
const cluster = join(dataDir, 'postgres');
const standby = join(dataDir, 'standby');
const prepare = { dataDir, port: await freePort(), durable: true, maxConnections: 20 };
const prepared = await preparePostgres(prepare);
let server = await prepared.start();
const sql = createSql(prepared.url, { maxConnections: 4, applicationName: 'failover' });
await migrate(sql);
afterAll(async () => {
  await sql.end({ timeout: 0 });
  await server.stop(5_000);
  rmSync(dataDir, { recursive: true });
});

const store = await openEventStore(sql);
const { compaction } = store;
afterAll(() => {
  store.connection.closeSync();
  compaction.connection.closeSync();
});

let sent = 0;
/** Acknowledged, compacted and committed. */
async function take(count: number) {
  const log = await store.openLog();
  const events = Array.from({ length: count }, () => {
    sent += 1;
    return { name: 'opened', anonymousId: `device_${sent}`, eventId: `e${sent}` };
  });
  await append(log, APP, events);
  await log.close();
  while ((await compactOnce(compaction)).events > 0);
}

const seen = async () =>
  (await visibleRows(store, APP)).map(({ anonymousId }) => anonymousId).toSorted();
const everyOne = () => Array.from({ length: sent }, (_, n) => `device_${n + 1}`).toSorted();
const isGood = async () => (await catalogueHealth(compaction)).good;
const files = async () => (await store.objects.list('')).map(({ key }) => key);

/** An asynchronous replica: what it has is sound, and the newest commits are not there. */
async function copyToStandby() {
  await server.stop(10_000);
  // Its files belong to the account of PostgreSQL.
  Bun.spawnSync(['cp', '-a', cluster, standby]);
  server = await (await preparePostgres(prepare)).start();
}

async function failOver() {
  server.kill('SIGKILL');
  await server.exited;
  rmSync(cluster, { recursive: true });
  renameSync(standby, cluster);
  server = await (await preparePostgres(prepare)).start();
  await until('the pool finds it', () => sql`SELECT 1`.catch(() => null));
}

const heal = () =>
  rebuildCatalogue(compaction, { dryRun: false, report: () => undefined }, async () => undefined);

test('a standby that lacks commits is noticed, costs nothing, and is healed by the files', async () => {
  await take(20);
  await checkOwnCommit(compaction);
  await checkSharedCommit(compaction);
  expect(await isGood()).toBe(true);
  await copyToStandby();
  await take(30);
  await take(10);
  expect(await seen()).toEqual(everyOne());

  await failOver();
  expect(await seen()).toHaveLength(20);
  await checkOwnCommit(compaction);
  expect(await isGood()).toBe(false);
  // Later commits pass the number that the old primary had.
  for (let n = 0; n < 4; n += 1) await take(2);
  await checkOwnCommit(compaction);
  expect(await isGood()).toBe(false);
  const { detail } = await catalogueHealth(compaction);
  expect(detail).toContain('rebuild-catalogue --add');

  const before = await files();
  await sql`UPDATE event_files SET state = 'retired', retired_at = now() - interval '1 day'
    WHERE file_id = (SELECT file_id FROM event_files ORDER BY created_at LIMIT 1)`;
  await sweepRetired(compaction);
  await sweepColumns(compaction);
  await sweepOrphans(compaction, Date.now() + 400 * DAY_MS);
  expect(await files()).toEqual(before);
  await sql`UPDATE event_files SET state = 'live', retired_at = NULL WHERE state = 'retired'`;

  await heal();
  expect(await isGood()).toBe(true);
  expect(await seen()).toEqual(everyOne());
  await checkOwnCommit(compaction);
  await checkSharedCommit(compaction);
  expect(await isGood()).toBe(true);
  await take(5);
  expect(await seen()).toEqual(everyOne());
});

test('a host that has only the bucket notices it too', async () => {
  await take(3);
  await checkSharedCommit(compaction);
  await copyToStandby();
  await take(3);
  await checkSharedCommit(compaction);
  expect(await isGood()).toBe(true);
  await failOver();
  // Its disk is gone with what it noted.
  rmSync(join(store.logDir, 'last-commit.json'));
  await checkOwnCommit(compaction);
  expect(await isGood()).toBe(true);
  await take(1);
  await checkSharedCommit(compaction);
  expect(await isGood()).toBe(false);
  await heal();
  expect(await isGood()).toBe(true);
  expect(await seen()).toEqual(everyOne());
});

test('a note that nobody can read is none', async () => {
  await Bun.write(join(store.logDir, 'last-commit.json'), '{"segm');
  await store.objects.putBytes(LAST_COMMIT_KEY, Buffer.from('null'));
  await checkOwnCommit(compaction);
  await checkSharedCommit(compaction);
  expect(await isGood()).toBe(true);
});
