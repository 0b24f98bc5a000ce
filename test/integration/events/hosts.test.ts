import { afterAll, describe, expect, test } from 'bun:test';
import { rm, stat } from 'node:fs/promises';
import { withApp } from '../../../src/shared/app.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { subjectHash } from '../../../src/event-store/event/person.ts';
import { Adopter } from '../../../src/event-store/hosts/adopt.ts';
import { Heartbeat } from '../../../src/event-store/hosts/heartbeat.ts';
import { removeCompacted } from '../../../src/event-store/hosts/own-log.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { backlogAgeMs } from '../../../src/event-store/intake/backlog.ts';
import { bucketSegmentFiles } from '../../../src/event-store/log/bucket-file.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { listSegments, sealedSegments } from '../../../src/event-store/log/segments.ts';
import { SegmentShipper } from '../../../src/event-store/log/shipper.ts';
import { erasePerson, repeatErasures } from '../../../src/modules/people/erase.ts';
import { at } from '../../../src/shared/assert.ts';
import { newId } from '../../../src/shared/ids.ts';
import { HOUR_MS, SECOND_MS } from '../../../src/shared/time.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import { ALL_TIME, append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { event, quietLog, temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const database = await testDatabase();
const { sql } = database;
const ORG = 'org_1';

/** One bucket for all hosts of the suite: a folder that outlives each of them. */
const bucket: ObjectStore = {
  ...localObjectStore(temporaryFolder('hosts-bucket')),
  isRemote: true,
};

/** A host whose log says each time it is asked to how far the catalogue has caught up with it. */
async function openHost() {
  const store = await openEventStore(sql, bucket);
  const log = await EventLog.open({
    dir: store.logDir,
    log: quietLog(),
    maxSegmentAgeMs: HOUR_MS,
    maxSegmentBytes: 1,
  });
  const heartbeat = new Heartbeat(log, { sql, log: quietLog() });
  afterAll(async () => {
    await heartbeat.stop();
    await log.close();
  });
  await heartbeat.beat();
  const take = async (appId: string, events = [event({})]) => {
    await append(log, appId, events);
    await until('the segment is sealed', async () => {
      const newest = (await listSegments(store.logDir)).at(-1);
      return newest === undefined || (await stat(newest.path)).size === 0;
    });
  };
  /** The disk goes with the host: nobody speaks for it any more. */
  const lose = async () => {
    heartbeat.abandon();
    await log.close();
    await new SegmentShipper(store).ship();
    await rm(store.dir, { recursive: true });
  };
  return { ...store, eventLog: log, heartbeat, take, lose };
}

type Host = Awaited<ReturnType<typeof openHost>>;

const dataThrough = async (host: Pick<Host, 'hot'>, appId: string): Promise<number> =>
  (await host.hot.snapshot({ orgId: ORG, appId, ...ALL_TIME })).dataThrough.getTime();

const ownerIds = async () =>
  (await sql<{ id: string }[]>`SELECT owner_id AS id FROM event_hosts`).map(({ id }) => id);

const databaseMs = async () => {
  const [row] = await sql<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return row!.now.getTime();
};

describe('the time through which a report has everything', () => {
  test('stops before what another host has taken and nobody has compacted', async () => {
    const [one, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    const takenMs = await databaseMs();
    await one.take(appId);
    await one.heartbeat.beat();
    await other.heartbeat.beat();
    expect(await dataThrough(other, appId)).toBeLessThan(takenMs);
    expect(await dataThrough(one, appId)).toBeLessThanOrEqual(await databaseMs());

    await compactAll(one.compaction);
    expect(await visibleRows(other, appId)).toHaveLength(1);
    await until('the report has what was compacted', async () => {
      await one.heartbeat.beat();
      await other.heartbeat.beat();
      return (await dataThrough(other, appId)) > takenMs;
    });
    expect(await dataThrough(other, appId)).toBeLessThanOrEqual(await databaseMs());
  });

  test.each([2, -2])('is of the database’s clock, on a host whose own is %p s off', async (s) => {
    const host = await openHost();
    const clock = () => new Date(Date.now() + s * SECOND_MS);
    const hot = new HotEvents({ sql, objects: bucket, clock }, host.logDir);
    const beforeMs = await databaseMs();
    await pause(1, 'the clock has moved on');
    const [row] = await sql<{ through: Date }[]>`SELECT min(through) AS through FROM event_hosts`;
    const throughMs = await dataThrough({ hot }, newId('app'));
    expect(throughMs).toBeLessThanOrEqual(await databaseMs());
    expect(throughMs).toBeGreaterThanOrEqual(
      Math.min(beforeMs, row!.through.getTime()) - SECOND_MS,
    );
  });

  test('never passes a batch that is still on its way to the disk', async () => {
    const host = await openHost();
    const appended = performance.now();
    const taken = host.take(newId('app'));
    expect((await host.eventLog.uncompacted()).sinceMs).toBeLessThanOrEqual(performance.now());
    await taken;
    const { sinceMs } = await host.eventLog.uncompacted();
    expect(sinceMs).toBeGreaterThanOrEqual(appended);
    // A segment is compacted once it is sealed.
    await until('nothing is left that is not in files', async () => {
      await compactAll(host.compaction);
      const after = performance.now();
      return (await host.eventLog.uncompacted()).sinceMs >= after;
    });
  });
});

describe('a host that is lost', () => {
  test('is adopted by one host, which is done when everything is in files', async () => {
    const [lost, one, other] = [await openHost(), await openHost(), await openHost()];
    const appId = newId('app');
    for (let n = 0; n < 4; n += 1) await lost.take(appId, [event({ id: `event-${n}` })]);
    await lost.heartbeat.beat();
    const lostOwners = (await lost.eventLog.uncompacted()).ownerIds;
    const takenMs = await databaseMs();
    await lost.lose();
    expect(await new Adopter(one.compaction).look()).toBe(0);

    const adopters = [new Adopter(one.compaction, 0), new Adopter(other.compaction, 0)];
    const fetched = await Promise.all(adopters.map((adopter) => adopter.look()));
    expect(fetched.toSorted()).toEqual([0, 4]);
    expect(await dataThrough(one, appId)).toBeLessThan(takenMs);

    for (const host of [one, other]) await compactAll(host.compaction);
    for (const adopter of adopters) await adopter.look();
    for (const host of [one, other]) await host.heartbeat.beat();
    expect(await visibleRows(other, appId)).toHaveLength(4);
    expect(await ownerIds()).not.toContain(at(lostOwners, 0));
    expect(await bucket.list('segments/')).toEqual([]);
  });

  test('that lives without a compactor is adopted too, and then removes what is compacted', async () => {
    const [bare, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await bare.take(appId);
    await bare.heartbeat.beat();
    await new SegmentShipper(bare).ship();
    const adopter = new Adopter(other.compaction, 20);
    const look = async () => {
      await bare.heartbeat.beat();
      return adopter.look();
    };
    await until('the segment is adopted', async () => (await look()) === 1);
    await compactAll(other.compaction);
    await look();
    expect(await ownerIds()).toContain(at((await bare.eventLog.uncompacted()).ownerIds, 0));
    expect(await removeCompacted(bare.compaction, 0)).toBe(1);
    expect(await visibleRows(bare, appId)).toHaveLength(1);
    const nowMs = performance.now();
    expect((await bare.eventLog.uncompacted()).sinceMs).toBeGreaterThanOrEqual(nowMs);
  });

  const removers: [string, (host: Host) => Promise<unknown>][] = [
    ['its compactor', ({ compaction }) => compactAll(compaction)],
    [
      'its API, which has no compactor beside it,',
      ({ compaction }) => removeCompacted(compaction, 0),
    ],
  ];
  test.each(removers)(
    'whose refused PUT comes late after %s has removed the empty segment has it nowhere',
    async (_, remove) => {
      const [host, other] = [await openHost(), await openHost()];
      const appId = newId('app');
      const late: (() => Promise<void>)[] = [];
      const files = bucketSegmentFiles({
        objects: {
          putBytes: async (key, bytes) => {
            late.push(() => bucket.putBytes(key, bytes));
            throw new Error('ECONNRESET');
          },
          remove: () => Promise.reject(new Error('ECONNRESET')),
        },
        onStored: () => undefined,
      });
      const log = await EventLog.open({
        dir: host.logDir,
        log: quietLog(),
        maxSegmentBytes: 1,
        openFile: files.open,
      });
      await expect(append(log, appId, [event({})])).rejects.toMatchObject({ code: 'unavailable' });
      await log.close();
      expect(await sealedSegments(host.logDir)).toHaveLength(1);
      expect(await backlogAgeMs(host.logDir, Date.now() + HOUR_MS)).toBe(0);
      await remove(host);
      expect(await sealedSegments(host.logDir)).toEqual([]);
      for (const put of late) await put();
      const adopter = new Adopter(other.compaction, 0);
      await adopter.look();
      await compactAll(other.compaction);
      expect(await visibleRows(other, appId)).toEqual([]);
      await adopter.look();
      expect(await bucket.list('segments/')).toEqual([]);
    },
  );

  test('is told from one that lives, whatever its clock says', async () => {
    const [living, other] = [await openHost(), await openHost()];
    await living.take(newId('app'));
    await new SegmentShipper(living).ship();
    const adopter = new Adopter(other.compaction, SECOND_MS);
    await adopter.look();
    await living.heartbeat.beat();
    await sql`UPDATE event_hosts SET compactor_seen_at = clock_timestamp()`;
    expect(await adopter.look()).toBe(0);
  });
});

describe('a process that ends', () => {
  test('leaves its row to the compactor of its host, when it was killed', async () => {
    const host = await openHost();
    await host.take(newId('app'));
    await host.heartbeat.beat();
    const owner = at((await host.eventLog.uncompacted()).ownerIds, 0);
    host.heartbeat.abandon();
    await host.eventLog.close();
    expect(await ownerIds()).toContain(owner);
    await compactAll(host.compaction);
    expect(await ownerIds()).not.toContain(owner);
  });

  test('leaves none when it stops in order and everything is compacted', async () => {
    const host = await openHost();
    await host.take(newId('app'));
    const owner = at((await host.eventLog.uncompacted()).ownerIds, 0);
    await compactAll(host.compaction);
    await host.eventLog.close();
    await host.heartbeat.stop();
    expect(await ownerIds()).not.toContain(owner);
  });
});

describe('the erasure of a person', () => {
  test('reaches a device that only the log of another host knew as theirs', async () => {
    const service = await startTestService(database);
    const { deps } = service;
    const [one, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    const app = { id: appId, orgId: ORG } as never;
    await other.take(appId, [event({ id: 'a', anonymousId: 'device' })]);
    await compactAll(other.compaction);
    await one.take(appId, [event({ id: 'b', anonymousId: 'device', userId: 'ada' })]);
    await one.take(appId, [event({ id: 'c', anonymousId: 'her-second' })]);

    const ctx = withApp({ deps, requestId: 'test', orgId: ORG, actor: {} as never }, app);
    await erasePerson(ctx, { personId: 'ada' });
    expect((await visibleRows(other, appId)).map(({ eventId }) => eventId)).toEqual(['a']);

    await compactAll(one.compaction);
    expect((await visibleRows(other, appId)).map(({ eventId }) => eventId)).toEqual(['c']);
    await repeatErasures(deps);
    const [due] = await sql`SELECT 1 FROM event_erasures WHERE repeat_due`;
    expect(due).toBeUndefined();
    expect((await visibleRows(one, appId)).map(({ eventId }) => eventId)).toEqual(['c']);
  });

  test('spares a device that another host makes somebody else’s while it is being committed', async () => {
    const { deps } = await startTestService(database);
    const [one, other] = [await openHost(), await openHost()];
    const appId = newId('app');
    await one.take(appId, [
      event({ id: 'hers', anonymousId: 'device', userId: 'ada' }),
      event({ id: 'kept', anonymousId: 'elsewhere' }),
    ]);
    await other.take(appId, [
      event({ id: 'before', anonymousId: 'device' }),
      event({ id: 'his', anonymousId: 'device', userId: 'bob' }),
    ]);
    const app = { id: appId, orgId: ORG } as never;
    const ctx = withApp({ deps, requestId: 'test', orgId: ORG, actor: {} as never }, app);
    await erasePerson(ctx, { personId: 'ada' });

    // The one has resolved its rows and writes their file when the other commits.
    let between: (() => Promise<unknown>) | null = () => compactAll(other.compaction);
    const objects: ObjectStore = {
      ...one.objects,
      adopt: async (scratch, key) => {
        await one.objects.adopt(scratch, key);
        const commitOfTheOther = between;
        between = null;
        await commitOfTheOther?.();
      },
    };
    await compactAll({ ...one.compaction, objects });
    expect(between).toBeNull();
    const ids = (await visibleRows(one, appId)).map(({ eventId }) => eventId);
    expect(ids.toSorted()).toEqual(['before', 'his', 'kept']);
  });

  test('spares a device that signs in as the person after it', async () => {
    const host = await openHost();
    const appId = newId('app');
    await sql`
      INSERT INTO event_erasures (app_id, org_id, subject_hash, subject, seq, erased_at)
      VALUES (${appId}, ${ORG}, ${subjectHash(appId, 'ada')}, NULL, 0, now() - interval '1 hour')`;
    await host.take(appId, [event({ id: 'a', anonymousId: 'device' })]);
    await host.take(appId, [event({ id: 'b', anonymousId: 'device', userId: 'ada' })]);
    await compactAll(host.compaction);
    expect((await visibleRows(host, appId)).map(({ eventId }) => eventId)).toEqual(['a']);
  });
});
