import { describe, expect, test } from 'bun:test';
import { readFile, rm } from 'node:fs/promises';

import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { Adopter } from '../../../src/event-store/hosts/adopt.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { sealedSegments } from '../../../src/event-store/log/segments.ts';
import { SegmentShipper } from '../../../src/event-store/log/shipper.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { s3ObjectStore } from '../../../src/storage/object-store/s3.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { event, temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { testS3 } from '../../support/s3-server.ts';
import { until } from '../../support/until.ts';

const s3 = await testS3();
const { sql } = await testDatabase();

/** A host: its own log and cache, the bucket and the database shared with the others. */
async function openHost() {
  const objects = s3ObjectStore({ ...s3!.settings, cacheDir: temporaryFolder('host-cache') });
  return openEventStore(sql, objects);
}

type Host = Awaited<ReturnType<typeof openHost>>;

async function take(host: Host, appId: string, count: number, close = true) {
  // Closed as one segment, however long the appends take.
  const log = await host.openLog(close ? HOUR_MS : undefined);
  for (let i = 0; i < count; i += 1) await append(log, appId, [event({ id: `event-${1000 + i}` })]);
  if (close) await log.close();
  return log;
}

describe.skipIf(!s3)('event files in S3', () => {
  test('are read by every host, through a cache of its own', async () => {
    const [one, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await take(one, appId, 5);
    expect(await visibleRows(other, appId)).toEqual([]);
    await compactAll(one.compaction);
    expect(await visibleRows(other, appId)).toHaveLength(5);
    expect(await visibleRows(one, appId)).toHaveLength(5);
  });

  test('know an event again that another host took first', async () => {
    const [one, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await take(one, appId, 5);
    await take(other, appId, 8);
    await Promise.all([compactAll(one.compaction), compactAll(other.compaction)]);
    await compactAll(one.compaction);
    await compactAll(other.compaction);
    expect(await visibleRows(one, appId)).toHaveLength(8);
  });

  test('are split and merged by a host that wrote none of them', async () => {
    const [one, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await take(one, appId, 5);
    await compactAll(one.compaction);
    const later = { ...other.compaction, clock: () => new Date(Date.now() + 2 * DAY_MS) };
    for (const job of await planJobs(later)) await runJob(later, job);
    expect(await visibleRows(one, appId)).toHaveLength(5);
  });
});

describe.skipIf(!s3)('a host that is lost', () => {
  test('loses nothing that was sealed: another takes its segments over', async () => {
    const [lost, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await take(lost, appId, 5);
    await new SegmentShipper(lost).ship();
    await rm(lost.dir, { recursive: true });
    expect(await new Adopter(other.compaction).look()).toBe(0);
    const adopter = new Adopter(other.compaction, 0);
    expect(await adopter.look()).toBe(1);
    await compactAll(other.compaction);
    expect(await visibleRows(other, appId)).toHaveLength(5);
    expect(await adopter.look()).toBe(0);
    expect(await other.objects.list('segments/')).toEqual([]);
  });

  test('that comes back compacts nothing a second time', async () => {
    const [slow, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await take(slow, appId, 5);
    await new SegmentShipper(slow).ship();
    const adopter = new Adopter(other.compaction, 0);
    await adopter.look();
    await compactAll(other.compaction);
    await compactAll(slow.compaction);
    expect(await visibleRows(slow, appId)).toHaveLength(5);
  });
});

describe.skipIf(!s3)('copies of the event log', () => {
  /** Ships as an API does, with nothing beside it: no compactor, no database. */
  async function ship(host: Host, objects = host.objects) {
    const stop = new AbortController();
    const shipper = new SegmentShipper({ ...host, objects });
    const loop = shipper.shipForever(stop.signal);
    const log = await EventLog.open({
      dir: host.logDir,
      log: host.log,
      maxSegmentAgeMs: 30,
      onSealed: () => shipper.call(),
    });
    const end = async () => {
      stop.abort();
      await loop;
    };
    return { log, shipper, end };
  }

  test('are in the bucket once a segment is sealed, without compactor and PostgreSQL', async () => {
    const host = await openHost();
    const { log, shipper, end } = await ship(host);
    await append(log, newId('app'), [event({})]);
    expect((await shipper.exposure()).segments).toBe(1);
    await until(
      '(await shipper.exposure()).bytes === 0',
      async () => (await shipper.exposure()).bytes === 0,
    );
    const [sealed] = await sealedSegments(host.logDir);
    const copy = await host.objects.getBytes(`segments/${sealed?.segmentId}.log`);
    expect(copy).toEqual(new Uint8Array(await readFile(sealed?.path ?? '')));
    await end();
    await log.close();
  });

  test('are made when the bucket is back, and until then counted as exposed', async () => {
    const host = await openHost();
    let isAway = true;
    let tries = 0;
    const objects = {
      ...host.objects,
      putBytes: (key: string, bytes: Uint8Array) => {
        tries += 1;
        return isAway ? Promise.reject(new Error('away')) : host.objects.putBytes(key, bytes);
      },
    };
    const { log, shipper, end } = await ship(host, objects);
    await append(log, newId('app'), [event({})]);
    await until('tries > 0', () => tries > 0);
    expect((await shipper.exposure()).segments).toBeGreaterThan(0);
    isAway = false;
    await until(
      '(await shipper.exposure()).bytes === 0',
      async () => (await shipper.exposure()).bytes === 0,
    );
    await end();
    await log.close();
  });

  test('do not wait for one that takes long, and that one is not begun twice', async () => {
    const host = await openHost();
    const slow = Promise.withResolvers<void>();
    const begun: string[] = [];
    const objects = {
      ...host.objects,
      putBytes: async (key: string, bytes: Uint8Array) => {
        begun.push(key);
        if (begun.length === 1) await slow.promise;
        return host.objects.putBytes(key, bytes);
      },
    };
    const { log, shipper, end } = await ship(host, objects);
    await append(log, newId('app'), [event({})]);
    await until('a copy is under way', () => begun.length === 1);
    await append(log, newId('app'), [event({})]);
    await until('the later one is copied', async () => {
      const names = (await host.objects.list('segments/')).map(({ key }) => key);
      return begun.length === 2 && names.includes(begun[1] ?? '');
    });
    expect((await shipper.exposure()).segments).toBe(1);
    slow.resolve();
    await end();
    expect((await shipper.exposure()).segments).toBe(0);
    expect(begun).toHaveLength(2);
    await log.close();
  });

  test('of a process that is gone are made by another, and once', async () => {
    const host = await openHost();
    await take(host, newId('app'), 3);
    expect(await new SegmentShipper({ ...host, minAgeMs: HOUR_MS }).ship()).toBe(0);
    expect(await new SegmentShipper(host).ship()).toBe(1);
    expect(await new SegmentShipper(host).ship()).toBe(0);
  });
});
