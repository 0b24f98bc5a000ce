import { describe, expect, test } from 'bun:test';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCli } from '../../../src/admin/cli.ts';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { livePaths, readInstallation } from '../../../src/event-store/ownership/queries.ts';
import {
  backup,
  makeDueBackup,
  verifyBackup,
  verifyDueBackup,
} from '../../../src/modules/backup/index.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { openObjectStore, openObjectStoreAt } from '../../../src/storage/object-store/open.ts';
import { type EventService, startEventService } from '../../support/event-service.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testS3 } from '../../support/s3-server.ts';
import { createTestOrg } from '../../support/service.ts';

const s3 = await testS3();

const newPlace = () => `s3://events-bucket/${crypto.randomUUID()}`;

const start = (env: Record<string, string>) =>
  startEventService({
    S3_ENDPOINT: s3!.endpoint,
    S3_ACCESS_KEY_ID: s3!.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3!.credentials.secretAccessKey,
    ...env,
  });

/** Merges what there is, and deletes the files that were merged away. */
async function mergeAndSweep({ deps, compaction }: EventService): Promise<void> {
  for (const job of await planJobs(compaction)) await runJob(compaction, job);
  await deps.sql`UPDATE event_files SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;
  await deps.sql`UPDATE event_key_runs SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;
  await sweepRetired(deps);
}

async function storedEvents({ deps }: EventService, appId: string): Promise<number> {
  const [row] = await deps.sql<{ events: number }[]>`
    SELECT coalesce(sum(a.rows), 0)::int AS events
    FROM event_file_apps a JOIN event_files f USING (file_id)
    WHERE f.state = 'live' AND a.app_id = ${appId}`;
  const objects = openObjectStore(deps.config);
  for (const path of await livePaths(deps.sql)) expect(await objects.getBytes(path)).not.toBeNull();
  return row!.events;
}

async function production(backupTo: string, url = newPlace()) {
  let now = new Date();
  const service = await start({ EVENTS_URL: url, BACKUP_TO: backupTo, BACKUP_KEEP: '2' });
  Object.assign(service.deps, { clock: () => now });
  const org = await createTestOrg(service);
  const appId = newId('app');
  let stored = 0;
  return {
    ...service,
    url,
    appId,
    org,
    id: (await readInstallation(service.deps.sql)).id,
    /** As many files as calls: merging them is due. */
    fill: async (files: number) => {
      for (let file = 0; file < files; file += 1) {
        await service.store(appId, 5 + stored);
        stored += 1;
      }
      return 4 + stored;
    },
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    look: () => makeDueBackup(service.ctx),
    stand: async () => {
      const { body } = await service.call('/v1/status', { headers: org.key });
      return body.dependencies.find((one: { name: string }) => one.name === 'backups').status;
    },
  };
}

/** A scheduled backup of a bucket as the runbook fetches it. */
async function fetched(service: EventService, to: string, prefix: string): Promise<string> {
  const bucket = openObjectStoreAt(service.deps.config, to, temporaryFolder('bucket-cache'));
  const dir = temporaryFolder('fetched');
  for (const { key } of await bucket.list(prefix)) {
    await Bun.write(join(dir, key.slice(prefix.length)), (await bucket.getBytes(key))!);
  }
  return dir;
}

async function verifyByCommand({ ctx }: EventService, dir: string) {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const terminal = { out: say, err: say };
  const connect = async () => ({ ctx, close: async () => undefined });
  const code = await runCli(COMMANDS, ['backup', 'verify', dir], { terminal, connect });
  return { code, said: said.join('\n') };
}

describe.skipIf(!s3)('a backup of events in a bucket', () => {
  test('brings back every event after its files were merged away and deleted', async () => {
    const url = newPlace();
    const to = `${url}/backups`;
    const service = await production(to, url);
    const events = await service.fill(8);
    expect(await service.look()).toBe('made');
    const before = await livePaths(service.deps.sql);
    await service.fill(2);
    await mergeAndSweep(service);
    const left = (await openObjectStore(service.deps.config).list('events/')).map(({ key }) => key);
    expect(before.filter((path) => !left.includes(path)).length).toBeGreaterThan(0);

    const [name] = await namesOfBackups(service, to);
    const dir = await fetched(service, to, `${service.id}/${name}/`);
    expect((await verifyByCommand(service, dir)).said).toContain('is complete');
    const elsewhere = await start({ EVENTS_URL: newPlace() });
    await restore(elsewhere.ctx, dir);
    expect(await storedEvents(elsewhere, service.appId)).toBe(events);
    // In place of the lost installation too.
    const inPlace = await start({ EVENTS_URL: url });
    await restore(inPlace.ctx, dir, { inPlace: true });
    expect(await storedEvents(inPlace, service.appId)).toBe(events);
  });

  test('copies each file once, and deletes it with the last backup that names it', async () => {
    const to = newPlace();
    const service = await production(to);
    await service.fill(8);
    const files = openObjectStoreAt(
      service.deps.config,
      `${to}/${service.id}/files`,
      temporaryFolder('bucket-cache'),
    );
    const kept = async () =>
      new Map((await files.list('')).map((one) => [one.key, one.modifiedAt]));
    expect(await service.look()).toBe('made');
    const first = await kept();
    service.pass(DAY_MS);
    await service.fill(1);
    await mergeAndSweep(service);
    expect(await service.look()).toBe('made');
    const second = await kept();
    for (const [key, at] of first) expect(second.get(key)).toEqual(at);
    service.pass(DAY_MS);
    expect(await service.look()).toBe('made');
    // The first backup is gone, and so is what it alone named.
    expect([...(await kept()).keys()].toSorted()).toEqual(
      (await livePaths(service.deps.sql)).toSorted(),
    );
  });

  test('that lost a file is no good one: the command, the status and the next look say so', async () => {
    const to = pathToFileURL(temporaryFolder('target')).href;
    const service = await production(to);
    await service.fill(2);
    expect(await service.look()).toBe('made');
    expect(await service.stand()).toBe('up');
    const own = `${to}/${service.id}`;
    const files = openObjectStoreAt(service.deps.config, `${own}/files`, temporaryFolder('cache'));
    const [lost] = (await files.list('')).map(({ key }) => key);
    await files.remove(lost!);
    const [name] = (await readdir(new URL(own))).filter((one) => one.startsWith('backup-'));
    const { code, said } = await verifyByCommand(service, new URL(`${own}/${name}`).pathname);
    expect([code, said]).toEqual([1, expect.stringContaining(lost!)]);
    // The hour before another is tried begins with the attempt.
    service.pass(HOUR_MS / 2);
    expect(await service.look()).toBe('not_due');
    service.pass(HOUR_MS / 2);
    expect(await service.look()).toBe('made');
    expect(await files.list('')).toContainEqual(expect.objectContaining({ key: lost }));
  });

  test('whose copy of a file changed is told by the command', async () => {
    const to = pathToFileURL(temporaryFolder('target')).href;
    const service = await production(to);
    await service.fill(2);
    expect(await service.look()).toBe('made');
    const own = new URL(`${to}/${service.id}`).pathname;
    const [name = ''] = (await readdir(own)).filter((one) => one.startsWith('backup-'));
    expect((await verifyByCommand(service, join(own, name))).code).toBe(0);
    const [key = ''] = (await livePaths(service.deps.sql)).filter((path) => path.endsWith('.keys'));
    const bytes = await readFile(join(own, 'files', key));
    bytes[3]! ^= 2;
    await writeFile(join(own, 'files', key), bytes);
    const { code, said } = await verifyByCommand(service, join(own, name));
    expect([code, said]).toEqual([1, expect.stringContaining(key)]);
  });

  test('whose copy of a file changed is not followed by others that name it', async () => {
    const to = newPlace();
    const service = await production(to);
    await service.fill(2);
    expect(await service.look()).toBe('made');
    const [name = ''] = await namesOfBackups(service, to);
    const place = `${to}/${service.id}/files`;
    const files = openObjectStoreAt(service.deps.config, place, temporaryFolder('bucket-cache'));
    const [{ key } = { key: '' }] = await files.list('events/');
    const bytes = (await files.getBytes(key))!;
    await files.putBytes(key, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1));
    for (let hours = 0; hours < 4; hours += 1) {
      service.pass(hours === 0 ? 8 * DAY_MS : 2 * HOUR_MS);
      await service.look();
      await verifyDueBackup(service.ctx);
    }
    const newest = (await namesOfBackups(service, to)).toSorted().at(-1);
    expect(newest).not.toBe(name);
    expect(await service.stand()).toBe('up');
    const dir = await fetched(service, to, `${service.id}/${newest}/`);
    expect(await verifyByCommand(service, dir)).toMatchObject({ code: 0 });
  });

  test('is read again while another one is made', async () => {
    const service = await production(newPlace());
    await service.fill(2);
    expect(await service.look()).toBe('made');
    service.pass(8 * DAY_MS);
    const [, made] = await Promise.all([verifyDueBackup(service.ctx), service.look()]);
    expect(made).toBe('made');
    const rows = await service.deps.sql`SELECT state, error FROM backups ORDER BY began_at`;
    expect([...rows]).toEqual(rows.map(() => ({ state: 'good', error: null })));
    expect(rows).toHaveLength(2);
  });

  test('made by hand holds them itself, or puts them where it is told', async () => {
    const service = await production('');
    const events = await service.fill(3);
    const [dir, lean] = [temporaryFolder('backup'), temporaryFolder('backup')];
    expect((await backup(service.ctx, dir)).objects).toHaveLength(4);
    const filesTo = newPlace();
    expect((await backup(service.ctx, lean, { filesTo })).objects).toBeNull();
    await service.fill(7);
    await mergeAndSweep(service);
    for (const made of [dir, lean]) {
      await verifyBackup(service.ctx, made);
      const elsewhere = await start({ EVENTS_URL: newPlace() });
      await restore(elsewhere.ctx, made);
      expect(await storedEvents(elsewhere, service.appId)).toBe(events);
    }
  });
});

async function namesOfBackups(service: EventService & { id: string }, to: string) {
  const bucket = openObjectStoreAt(service.deps.config, to, temporaryFolder('bucket-cache'));
  const keys = (await bucket.list(`${service.id}/backup-`)).map(({ key }) => key);
  return [...new Set(keys.map((key) => key.split('/')[1]))];
}
