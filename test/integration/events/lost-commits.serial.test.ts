import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LAST_COMMIT_KEY } from '../../../src/event-store/objects/names.ts';
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
import { DAY_MS } from '../../../src/shared/time.ts';
import { startFailingOver } from '../../support/failing-over.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';

const APP = 'app_one';
const dataDir = mkdtempSync(join(tmpdir(), 'failover-'));
const { sql, makeStandby, failOver } = await startFailingOver(dataDir, {
  maxConnections: 20,
  pool: 4,
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

const heal = () =>
  rebuildCatalogue(compaction, { dryRun: false, report: () => undefined }, async () => undefined);

test('a standby that lacks commits is noticed, costs nothing, and is healed by the files', async () => {
  await take(20);
  await checkOwnCommit(compaction);
  await checkSharedCommit(compaction);
  expect(await isGood()).toBe(true);
  await makeStandby();
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
  await makeStandby();
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
