import { describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sweepOrphans, sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { SegmentShipper } from '../../../src/event-store/log/shipper.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { readMarker } from '../../../src/event-store/ownership/marker.ts';
import { livePaths, readInstallation } from '../../../src/event-store/ownership/queries.ts';
import { backup } from '../../../src/modules/backup/backup.ts';
import { readManifest, writeManifest } from '../../../src/modules/backup/manifest.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { verifyBackup } from '../../../src/modules/backup/verify.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { openObjectStore } from '../../../src/storage/object-store/open.ts';
import { type EventService, startEventService } from '../../support/event-service.ts';
import { append } from '../../support/event-store.ts';
import { event, quietLog, temporaryFolder } from '../../support/events.ts';
import { testS3 } from '../../support/s3-server.ts';
import { createTestOrg } from '../../support/service.ts';

const s3 = await testS3();

type Place = {
  name: string;
  start: (place: string) => Promise<EventService>;
  newPlace: () => string;
};

const inFolders: Place = {
  name: 'in folders',
  newPlace: () => String(pathToFileURL(temporaryFolder('place'))),
  start: (EVENTS_URL) => startEventService({ EVENTS_URL }),
};

const inBucket: Place = {
  name: 'in one bucket',
  newPlace: () => `s3://events-bucket/${crypto.randomUUID()}`,
  start: (EVENTS_URL) =>
    startEventService({
      EVENTS_URL,
      S3_ENDPOINT: s3!.endpoint,
      S3_ACCESS_KEY_ID: s3!.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3!.credentials.secretAccessKey,
    }),
};

const keysOf = async ({ deps }: EventService) =>
  (await openObjectStore(deps.config).list('')).map(({ key }) => key).toSorted();

/** An installation with events before and after its backup, and what was merged in between. */
async function production(place: Place) {
  const url = place.newPlace();
  const service = await place.start(url);
  await createTestOrg(service);
  const appId = newId('app');
  await service.store(appId, 5);
  const [backedUp] = (await livePaths(service.deps.sql)).filter((path) =>
    path.endsWith('.parquet'),
  );
  const dir = temporaryFolder('backup');
  await backup(service.ctx, dir);
  await service.store(appId, 7);
  return { ...service, url, appId, dir, backedUp: backedUp! };
}

/** Everything of this service that ever removes files, days ahead. */
async function sweepDaysAhead(service: EventService): Promise<void> {
  const { deps, compaction } = service;
  const nowMs = Date.now() + 40 * DAY_MS;
  const later = { ...compaction, clock: () => new Date(nowMs) };
  await compactAll(later);
  for (const job of await planJobs(later)) await runJob(later, job);
  await deps.sql`UPDATE event_files SET retired_at = now() - interval '40 days' WHERE state = 'retired'`;
  await sweepRetired(deps);
  await sweepOrphans(deps, nowMs);
}

for (const place of s3 ? [inFolders, inBucket] : [inFolders]) {
  describe(`a restore ${place.name}`, () => {
    test('beside the running installation removes nothing of it, days later either', async () => {
      const one = await production(place);
      const before = await keysOf(one);
      const drill = await place.start(place.newPlace());
      await restore(drill.ctx, one.dir);
      expect(await livePaths(drill.deps.sql)).toHaveLength(2);
      await sweepDaysAhead(drill);
      expect(await keysOf(one)).toEqual(before);
      const { id } = await readInstallation(drill.deps.sql);
      expect(id).not.toBe((await readInstallation(one.deps.sql)).id);
      expect(await readMarker(openObjectStore(drill.deps.config))).toBe(id);

      await sweepDaysAhead(one);
      const inDrill = await keysOf(drill);
      for (const path of await livePaths(drill.deps.sql)) expect(inDrill).toContain(path);
    });

    test('into the place of the running installation is refused', async () => {
      const one = await production(place);
      const before = await keysOf(one);
      const drill = await place.start(one.url);
      await expect(restore(drill.ctx, one.dir)).rejects.toMatchObject({ code: 'conflict' });
      await expect(sweepOrphans(drill.deps, Date.now() + 40 * DAY_MS)).rejects.toThrow('belong to');
      expect(await keysOf(one)).toEqual(before);
    });

    test('in place takes the files over, keeps what came after the backup, and fences the old one', async () => {
      const one = await production(place);
      const next = await place.start(one.url);
      await restore(next.ctx, one.dir, { inPlace: true });
      const known = await livePaths(next.deps.sql);
      const after = (await keysOf(one)).filter((key) => !known.includes(key));
      await sweepDaysAhead(next);
      expect((await keysOf(next)).filter((key) => after.includes(key))).toEqual(after);
      const late = await place.start(one.url);
      await late.deps.sql`
        UPDATE installation SET id = ${(await readInstallation(one.deps.sql)).id}`;
      await expect(late.deps.objects.remove(after[0]!)).rejects.toThrow('belong to');
    });

    test('in place of an installation that the backup is not of is refused', async () => {
      const [one, stranger] = [await production(place), await production(place)];
      const next = await place.start(stranger.url);
      const restored = restore(next.ctx, one.dir, { inPlace: true });
      await expect(restored).rejects.toMatchObject({ code: 'conflict' });
      expect(await readMarker(openObjectStore(stranger.deps.config))).toBe(
        (await readInstallation(stranger.deps.sql)).id,
      );
    });
  });
}

/** Backups of earlier releases leave the event files of a bucket there. */
async function asOfAnEarlierRelease(dir: string): Promise<void> {
  const { objects, files, ...rest } = await readManifest(dir);
  expect(objects).toHaveLength(2);
  await rm(join(dir, 'objects'), { recursive: true });
  const left = files!.filter(({ path }) => !path.startsWith('objects/'));
  await writeManifest(dir, { ...rest, objects: null, files: left });
}

describe.skipIf(!s3)(
  'event files that went after an earlier release had backed up a bucket',
  () => {
    test('are missed by name, found in a copy, or left out when the operator says so', async () => {
      const one = await production(inBucket);
      const copy = openObjectStore(one.deps.config);
      const lost = one.backedUp;
      await asOfAnEarlierRelease(one.dir);
      expect(await verifyBackup(one.ctx, one.dir)).toMatchObject({ createdAt: expect.anything() });
      const bytes = await copy.getBytes(lost);
      const folder = temporaryFolder('copy');
      for (const key of await keysOf(one))
        await Bun.write(`${folder}/${key}`, (await copy.getBytes(key))!);
      await copy.remove(lost);
      await expect(verifyBackup(one.ctx, one.dir)).rejects.toThrow('1 of 2 event files');

      const refused = await inBucket.start(inBucket.newPlace());
      await expect(restore(refused.ctx, one.dir)).rejects.toMatchObject({ code: 'unavailable' });
      const fromCopy = await inBucket.start(inBucket.newPlace());
      await restore(fromCopy.ctx, one.dir, { filesFrom: String(pathToFileURL(folder)) });
      expect(await fromCopy.deps.objects.getBytes(lost)).toEqual(bytes);
      const without = await inBucket.start(inBucket.newPlace());
      await restore(without.ctx, one.dir, { withoutMissingFiles: true });
      expect(await livePaths(without.deps.sql)).not.toContain(lost);
    });
  },
);

describe.skipIf(!s3)('a backup of one of several hosts', () => {
  test('holds what the others have sealed and nobody has compacted', async () => {
    const one = await production(inBucket);
    const logDir = temporaryFolder('other-host');
    const log = await EventLog.open({ dir: logDir, log: quietLog() });
    await append(log, one.appId, [event({ id: 'of-the-other-host' })]);
    await log.close();
    await new SegmentShipper({ objects: one.deps.objects, logDir, log: quietLog() }).ship();
    const dir = temporaryFolder('backup');
    expect((await backup(one.ctx, dir)).segments).toHaveLength(1);
    const drill = await inBucket.start(inBucket.newPlace());
    await restore(drill.ctx, dir);
    expect(await compactAll(drill.compaction)).toBe(1);
    expect(await compactAll(drill.compaction)).toBe(0);
  });
});
