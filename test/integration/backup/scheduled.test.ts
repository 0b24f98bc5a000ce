import { describe, expect, test } from 'bun:test';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readInstallation } from '../../../src/event-store/place.ts';
import { makeDueBackup, verifyBackup } from '../../../src/modules/backup/index.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { superfluous } from '../../../src/modules/backup/target.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { openObjectStoreAt } from '../../../src/storage/object-store/open.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { testS3 } from '../../support/s3-server.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const START = new Date('2026-03-07T10:00:00Z');
const s3 = await testS3();

/** A service with a clock of its own that keeps two backups, one a day. */
async function serviceWith(to: string, env: Record<string, string> = {}) {
  const database = await testDatabase();
  let now = START;
  const service = await startTestService(database, {
    env: { BACKUP_TO: to, BACKUP_KEEP: '2', METRICS_TOKEN: 'a-token-for-metrics-0123', ...env },
    with: () => ({ clock: () => now }),
  });
  const org = await createTestOrg(service);
  const app = await createTestApp(service, org.orgId);
  return {
    ...service,
    org,
    app,
    id: (await readInstallation(database.sql)).id,
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    look: () => makeDueBackup({ deps: service.deps, requestId: 'test' }),
    last: async () => (await service.call('/v1/status', { headers: org.key })).body.backups,
    stand: async () => {
      const { body } = await service.call('/v1/status', { headers: org.key });
      return body.dependencies.find((one: { name: string }) => one.name === 'backups');
    },
  };
}

describe('backups by themselves, in a folder', () => {
  test('are made when one is due, verified, and the newest are kept', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    const own = join(folder, service.id);
    expect(await service.stand()).toMatchObject({ status: 'up' });
    const unmade = { scheduled: true, everyHours: 24, lastVerifiedAt: null };
    expect(await service.last()).toEqual({ ...unmade, lastAttemptAt: null, lastAttempt: null });
    expect(await service.look()).toBe('made');
    expect(await service.last()).toEqual({
      ...unmade,
      lastVerifiedAt: START.toISOString(),
      lastAttemptAt: START.toISOString(),
      lastAttempt: 'good',
    });
    expect(await service.look()).toBe('not_due');
    expect(await service.stand()).toEqual({
      name: 'backups',
      status: 'up',
      detail: 'The last good backup is of 2026-03-07T10:00:00.000Z.',
    });
    // What others put there, and what a killed process left behind.
    await mkdir(join(own, 'backup-of-mine'));
    await mkdir(join(own, 'backup-20260301T000000Z', 'log'), { recursive: true });
    // Over the hour that is missing in the store's time zone.
    for (let day = 0; day < 2; day += 1) {
      service.pass(DAY_MS - 1);
      expect(await service.look()).toBe('not_due');
      service.pass(1);
      expect(await service.look()).toBe('made');
    }
    expect((await readdir(own)).toSorted()).toEqual([
      'backup-20260308T100000Z',
      'backup-20260309T100000Z',
      'backup-of-mine',
      'gone.json',
    ]);
    const { body } = await service.call('/v1/apps', { headers: service.org.key });
    const target = await startTestService(await testDatabase());
    const newest = join(own, 'backup-20260309T100000Z');
    await restore({ deps: target.deps, requestId: 'test' }, newest);
    const again = await target.call('/v1/apps', { headers: service.org.key });
    expect(again.body).toEqual(body);
  });

  test('are read again after a week, and one that changed is none', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href, { BACKUP_EVERY_HOURS: '144' });
    expect(await service.look()).toBe('made');
    service.pass(6 * DAY_MS);
    expect(await service.look()).toBe('made');
    const own = join(folder, service.id);
    const [first = ''] = (await readdir(own)).filter((name) => name.startsWith('backup-'));
    const dumped = join(own, first, 'database');
    const [table = ''] = await readdir(dumped);
    const bytes = await readFile(join(dumped, table));
    bytes[bytes.length >> 1]! ^= 16;
    await writeFile(join(dumped, table), bytes);
    const states = async () => {
      const rows = await service.deps.sql`SELECT state FROM backups ORDER BY began_at`;
      return rows.map(({ state }) => state);
    };
    expect(await service.look()).toBe('not_due');
    expect(await states()).toEqual(['good', 'good']);
    service.pass(DAY_MS + HOUR_MS);
    expect(await service.look()).toBe('not_due');
    expect(await states()).toEqual(['failed', 'good']);
    expect(await service.stand()).toMatchObject({ status: 'up' });
  });

  test('that fail are tried again after an hour, and are said to be overdue', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    expect(await service.look()).toBe('made');
    const own = join(folder, service.id);
    await rm(own, { recursive: true });
    await writeFile(own, 'in the way');
    service.pass(DAY_MS);
    expect(await service.look()).toBe('failed');
    expect(await service.last()).toMatchObject({
      lastVerifiedAt: START.toISOString(),
      lastAttemptAt: new Date(START.getTime() + DAY_MS).toISOString(),
      lastAttempt: 'failed',
    });
    expect(await service.look()).toBe('not_due');
    expect((await service.stand()).status).toBe('up');
    service.pass(DAY_MS);
    expect(await service.look()).toBe('failed');
    expect(await service.stand()).toEqual({
      name: 'backups',
      status: 'down',
      detail:
        'The last good backup is of 2026-03-07T10:00:00.000Z: the log of the worker says why.',
    });
    const metrics = await service.call('/metrics', {
      headers: { authorization: 'Bearer a-token-for-metrics-0123' },
    });
    expect(metrics.text).toMatch(/^dependency_up\{[^}]*"backups"[^}]*\} 0$/m);
    expect(metrics.text).toMatch(/^backup_age_seconds(\{.*\})? \d+/m);
    await rm(own);
    service.pass(HOUR_MS);
    expect(await service.look()).toBe('made');
    expect((await service.stand()).status).toBe('up');
  });
});

test('that are due more often than hourly are tried again, and looked at, as often', async () => {
  const folder = temporaryFolder('often');
  const service = await serviceWith(pathToFileURL(folder).href, { BACKUP_EVERY_HOURS: '0.02' });
  const everyMs = HOUR_MS / 50;
  // A worker that was killed while it made one, as a restored database has it too.
  const place = pathToFileURL(folder).href;
  await service.deps.sql`INSERT INTO backups (backup_id, place, state, began_at)
    VALUES ('bkp_killed', ${place}, 'running', ${START})`;
  expect(await service.look()).toBe('not_due');
  service.pass(everyMs);
  expect(await service.look()).toBe('made');
  const own = join(folder, service.id);
  const [name = ''] = (await readdir(own)).filter((one) => one.startsWith('backup-'));
  await rm(join(own, name, 'manifest.json'));
  service.pass(everyMs / 2);
  expect(await service.look()).toBe('not_due');
  // It was found to be broken, as a failed attempt of when it began.
  expect(await service.last()).toMatchObject({ lastAttempt: 'failed', lastVerifiedAt: null });
  service.pass(everyMs / 2);
  expect(await service.look()).toBe('made');
});

test('without BACKUP_TO there are none, and nobody is told that they lack', async () => {
  const service = await serviceWith('');
  expect(await service.look()).toBe('not_due');
  expect(await service.stand()).toBeUndefined();
});

test('finished backups are counted, unfinished ones go, and foreign names stay', () => {
  const day = (n: number, finished = true) => ({ name: `backup-2026030${n}T000000Z`, finished });
  const names = [day(3), day(1), day(4, false), day(2), { name: 'notes', finished: true }];
  expect(superfluous(names, 2)).toEqual([day(1).name, day(4).name]);
  expect(superfluous(names, 9)).toEqual([day(4).name]);
});

describe.skipIf(!s3)('backups by themselves, in a bucket', () => {
  test('are copied whole, the newest are kept, and nothing stays on the host', async () => {
    const to = 's3://events-bucket/target';
    const service = await serviceWith(to, {
      S3_ENDPOINT: s3!.endpoint,
      S3_ACCESS_KEY_ID: s3!.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3!.credentials.secretAccessKey,
    });
    for (let day = 0; day < 3; day += 1) {
      expect(await service.look()).toBe('made');
      service.pass(DAY_MS);
    }
    expect(await readdir(service.dataDir)).not.toContain('backup');
    const bucket = openObjectStoreAt(service.deps.config, to, temporaryFolder('bucket-cache'));
    const keys = (await bucket.list(`${service.id}/`)).map(({ key }) => key);
    const names = new Set(keys.map((key) => key.split('/')[1] ?? ''));
    expect([...names].toSorted()).toEqual([
      'backup-20260308T100000Z',
      'backup-20260309T100000Z',
      'gone.json',
    ]);
    const copy = temporaryFolder('fetched');
    const prefix = `${service.id}/backup-20260309T100000Z/`;
    for (const key of keys.filter((one) => one.startsWith(prefix))) {
      await Bun.write(join(copy, key.slice(prefix.length)), (await bucket.getBytes(key))!);
    }
    expect(await verifyBackup({ deps: service.deps, requestId: 'test' }, copy)).toMatchObject({
      createdAt: '2026-03-09T10:00:00.000Z',
    });
  });
});
