import { describe, expect, test } from 'bun:test';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readInstallation } from '../../../src/event-store/place.ts';
import { makeDueBackup, verifyBackup, verifyDueBackup } from '../../../src/modules/backup/index.ts';
import { readManifest } from '../../../src/modules/backup/manifest.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { superfluous } from '../../../src/modules/backup/target.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { openObjectStoreAt } from '../../../src/storage/object-store/open.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { testS3 } from '../../support/s3-server.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const START = new Date('2026-03-07T10:00:00Z');
const FLIPS = isFullRun ? 100 : 4;
const random = randomFrom(7);
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
    look: async () => {
      const ctx = { deps: service.deps, requestId: 'test' };
      const made = await makeDueBackup(ctx);
      await verifyDueBackup(ctx);
      return made;
    },
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
    const made = (await readdir(own)).filter((name) => name.startsWith('backup-'));
    const [first = ''] = made.toSorted();
    const dumped = join(own, first, 'database');
    // A file without rows is the same whatever its frame says.
    const table = 'auth.organization.copy.gz';
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

  test('are read again once a week where none is kept for so long', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    const verified = async () => {
      const rows = await service.deps.sql`
        SELECT began_at AS at FROM backups WHERE verified_at IS NOT NULL ORDER BY began_at`;
      return rows.map(({ at }) => Math.round((at.getTime() - START.getTime()) / DAY_MS));
    };
    for (let day = 0; day < 17; day += 1) {
      expect(await service.look()).toBe('made');
      service.pass(DAY_MS);
    }
    expect(await verified()).toEqual([8, 16]);
  });

  test('are made on after a clock that was ahead, and those of it go first', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    service.pass(400 * DAY_MS);
    expect(await service.look()).toBe('made');
    service.pass(-400 * DAY_MS);
    for (let day = 0; day < 2; day += 1) {
      expect(await service.look()).toBe('made');
      expect(await service.look()).toBe('not_due');
      service.pass(DAY_MS);
    }
    const names = await readdir(join(folder, service.id));
    expect(names.filter((name) => name.startsWith('backup-')).toSorted()).toEqual([
      'backup-20260307T100000Z',
      'backup-20260308T100000Z',
    ]);
    service.pass(2 * DAY_MS);
    expect(await service.stand()).toMatchObject({ status: 'down' });
  });

  test('leave a damaged file out and say so, and the newest with all files stays', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    const { sql, config } = service.deps;
    const [bad, gone] = ['events/2026/11/bad.parquet', 'events/2026/11/gone.parquet'];
    expect(await service.look()).toBe('made');
    for (const path of [bad, gone]) {
      await sql`
        INSERT INTO event_files (file_id, level, path, rows, bytes, min_occurred_at,
          max_occurred_at, min_received_at, max_received_at, people_seq, state)
        VALUES (${path}, 0, ${path}, 1, 1, now(), now(), now(), now(), 0, 'live')`;
      await sql`
        INSERT INTO event_sums (path, bytes, sums) VALUES (${path}, 3, decode('01', 'hex'))`;
    }
    await sql`UPDATE event_sums SET damaged_at = now(), fault = 'it is missing'
      WHERE path = ${gone}`;
    await mkdir(dirname(join(fileURLToPath(config.events.url), bad)), { recursive: true });
    await writeFile(join(fileURLToPath(config.events.url), bad), 'not what was written');
    for (let day = 0; day < 3; day += 1) {
      service.pass(DAY_MS);
      expect(await service.look()).toBe('made');
    }
    expect(await service.stand()).toEqual({
      name: 'backups',
      status: 'up',
      detail:
        'The last good backup is of 2026-03-10T10:00:00.000Z without 2 damaged files; the last whole one, of 2026-03-07T10:00:00.000Z, stays.',
    });
    const damaged = await sql`SELECT path FROM event_sums WHERE damaged_at IS NOT NULL`;
    expect(damaged.map(({ path }) => path).toSorted()).toEqual([bad, gone]);
    expect((await readdir(join(folder, service.id))).toSorted()).toEqual([
      'backup-20260307T100000Z',
      'backup-20260309T100000Z',
      'backup-20260310T100000Z',
      'gone.json',
    ]);
    // Lost without anybody knowing of damage.
    await sql`UPDATE event_sums SET damaged_at = NULL WHERE path = ${gone}`;
    service.pass(DAY_MS);
    expect(await service.look()).toBe('failed');
  });

  test('that are read again delay no other, and a reading that is stopped is done anew', async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    const ctx = { deps: service.deps, requestId: 'test' };
    const verified = async () => {
      const rows = await service.deps.sql`SELECT verified_at AS at FROM backups ORDER BY began_at`;
      return rows.map(({ at }) => at !== null);
    };
    expect(await makeDueBackup(ctx)).toBe('made');
    service.pass(8 * DAY_MS);
    expect(await makeDueBackup(ctx)).toBe('made');
    expect(await verified()).toEqual([false, false]);
    await verifyDueBackup(ctx, AbortSignal.abort());
    expect(await verified()).toEqual([false, false]);
    await verifyDueBackup(ctx);
    expect(await verified()).toEqual([true, false]);
  });

  test(`one flipped bit in each of ${FLIPS} files of backups is found`, async () => {
    const folder = temporaryFolder('target');
    const service = await serviceWith(pathToFileURL(folder).href);
    expect(await service.look()).toBe('made');
    const [name = ''] = (await readdir(join(folder, service.id))).filter((one) =>
      one.startsWith('backup-'),
    );
    const dir = join(folder, service.id, name);
    const { files } = await readManifest(dir);
    for (let n = 0; n < FLIPS; n += 1) {
      const file = files![Math.floor(random() * files!.length)]!;
      const path = join(dir, file.path);
      const good = await readFile(path);
      const bytes = Buffer.from(good);
      bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
      await writeFile(path, bytes);
      const verifying = verifyBackup({ deps: service.deps, requestId: 'test' }, dir);
      await expect(verifying).rejects.toThrow(`${file.path} has changed`);
      await writeFile(path, good);
    }
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
  const lacking = names.map((one) => ({ ...one, lacksFiles: one.name !== day(1).name }));
  expect(superfluous(lacking, 1)).toEqual([day(4).name, day(2).name]);
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
