import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { liveFilesOfApp, liveFilesOfLevel } from '../../../src/event-store/catalogue/queries.ts';
import { sweepOrphans, sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import {
  correctFile,
  mergeFiles,
  rewriteFiles,
} from '../../../src/event-store/maintenance/rewrite.ts';
import { splitFiles } from '../../../src/event-store/maintenance/split.ts';
import type { Compactor } from '../../../src/event-store/parquet/compactor.ts';
import { eraseFromEvents } from '../../../src/event-store/people/erasure-queries.ts';
import { rebuildCatalogue } from '../../../src/event-store/rebuild/rebuild-catalogue.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { temporaryFolder } from '../../support/events.ts';
import { killedAt, loseCatalogue, saveCatalogue } from '../../support/lost-catalogue.ts';
import { makeOld } from '../../support/old-event-files.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';

const ORG = 'org_1';
const APPS = ['app_one', 'app_two'] as const;
const QUIET = { dryRun: false, report: () => undefined };
const nothing = async () => undefined;

const { sql } = await testDatabase();

type Store = Awaited<ReturnType<typeof openEventStore>>;

async function emptyStore(): Promise<Store> {
  await loseCatalogue(sql);
  await sql`DELETE FROM event_erasures`;
  const store = await openEventStore(sql);
  afterAll(() => {
    store.connection.closeSync();
    store.compaction.connection.closeSync();
  });
  return store;
}

const Kill = fc.option(
  fc.record({ at: fc.integer({ min: 1, max: 4 }), afterCommit: fc.boolean() }),
  {
    nil: null,
    freq: 2,
  },
);
const appIndex = fc.integer({ min: 0, max: APPS.length - 1 });
const Sent = fc.record({
  n: fc.integer({ min: 0, max: 12 }),
  device: fc.integer({ min: 0, max: 3 }),
  user: fc.option(fc.integer({ min: 0, max: 1 }), { nil: null, freq: 3 }),
  hours: fc.integer({ min: 0, max: 50 }),
  hasId: fc.boolean(),
});
const Step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      app: appIndex,
      sent: fc.array(Sent, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('compact' as const), kill: Kill }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('coalesce' as const), kill: Kill }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('split' as const), kill: Kill }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), app: appIndex, kill: Kill }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('erase' as const),
      device: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('save' as const) }) },
);
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;

/** The first day of what is sent: closed days and an open one. */
const start = Date.now() - 2 * DAY_MS;

function toEvent({
  n,
  device,
  user,
  hours,
  hasId,
}: {
  n: number;
  device: number;
  user: number | null;
  hours: number;
  hasId: boolean;
}): StoredEvent {
  return {
    name: 'step',
    anonymousId: `device-${device}`,
    ...(user !== null && { userId: `user-${user}` }),
    ...(hasId && { id: `event-${n}`, ts: new Date(start + n * 4 * HOUR_MS).toISOString() }),
    props: { n, hours },
  };
}

async function rewriteSome(compactor: Compactor, step: Step): Promise<void> {
  if (step.kind === 'merge') {
    const files = await liveFilesOfApp(sql, APPS[step.app]!);
    if (files.length > 0) await mergeFiles(compactor, files);
    return;
  }
  const files = await liveFilesOfLevel(sql, 0);
  if (files.length === 0) return;
  if (step.kind === 'split') await splitFiles(compactor, files);
  else await rewriteFiles(compactor, files, async (from) => [{ from, level: 0, day: null }]);
}

async function erase(store: Store, device: number): Promise<void> {
  for (const appId of APPS) {
    await sql.begin((tx) => eraseFromEvents(tx, { orgId: ORG, appId }, `device-${device}`, []));
    for (const file of [
      ...(await liveFilesOfLevel(sql, 0)),
      ...(await liveFilesOfApp(sql, appId)),
    ]) {
      await correctFile(store.compaction, file);
    }
  }
}

const rows = async (store: Store) => {
  const seen: string[] = [];
  for (const appId of APPS) {
    for (const one of await visibleRows(store, appId, ORG)) {
      const { arrival, batchIndex, personId, anonymousId, key, props } = one;
      seen.push(
        JSON.stringify([appId, String(arrival), batchIndex, personId, anonymousId, key, props]),
      );
    }
  }
  return seen.toSorted();
};

async function compactRest(store: Store): Promise<void> {
  while ((await compactOnce(store.compaction)).more);
}

/** Carries the steps out; returns the way back to the last backup, if there was one. */
async function live(store: Store, steps: readonly Step[]): Promise<(() => Promise<void>) | null> {
  let goBack: (() => Promise<void>) | null = null;
  for (const step of steps) {
    switch (step.kind) {
      case 'send': {
        const log = await store.openLog();
        await append(
          log,
          APPS[step.app]!,
          step.sent.map(toEvent),
          start + (step.sent[0]?.hours ?? 0) * HOUR_MS,
        );
        await log.close();
        break;
      }
      case 'sweep':
        await sql`UPDATE event_files SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;
        await sweepRetired(store.compaction);
        break;
      case 'erase':
        await erase(store, step.device);
        // Nobody tells a backup of before who was erased.
        goBack = null;
        break;
      case 'save':
        goBack = await saveCatalogue(sql, store, temporaryFolder('saved'));
        break;
      default: {
        const work = (compactor: Compactor): Promise<unknown> =>
          step.kind === 'compact' ? compactOnce(compactor) : rewriteSome(compactor, step);
        if (step.kill === null) await work(store.compaction);
        else await killedAt(store.compaction, step.kill, work);
      }
    }
  }
  return goBack;
}

describe('a catalogue made from files', () => {
  test('of an earlier release, which do not say what they replaced, has every event once', async () => {
    const store = await emptyStore();
    const { compaction } = store;
    const sendDay = async (hours: number) => {
      const sent = [0, 1, 2, 3].map((n) => ({
        n: n + 3 * hours,
        device: n,
        user: n === 2 ? 0 : null,
        hours,
        hasId: n !== 3,
      }));
      await live(store, [
        { kind: 'send', app: hours % 2 === 0 ? 0 : 1, sent },
        { kind: 'compact', kill: null },
      ]);
    };
    for (const hours of [0, 1, 2, 3]) await sendDay(hours);
    await splitFiles(compaction, await liveFilesOfLevel(sql, 0));
    for (const hours of [30, 31]) await sendDay(hours);
    await mergeFiles(compaction, await liveFilesOfApp(sql, APPS[0]));
    const before = await rows(store);
    const files = (await store.objects.list('events/level')).map(({ key }) => key);
    await makeOld({ sql, objects: store.objects }, files);
    await loseCatalogue(sql);
    const rebuilt = await rebuildCatalogue(compaction, QUIET, nothing);
    expect(rebuilt.ofEarlierReleases).toBe(files.length);
    expect(await rows(store)).toEqual(before);
  });

  test('is as it was when it is made a second time, beside files that corrections replaced', async () => {
    const store = await emptyStore();
    const event = (device: number) => ({ n: 0, device, user: null, hours: 0, hasId: false });
    await live(store, [
      { kind: 'send', app: 0, sent: [event(1), event(0)] },
      { kind: 'compact', kill: null },
      { kind: 'erase', device: 0 },
    ]);
    await loseCatalogue(sql);
    const first = await rebuildCatalogue(store.compaction, QUIET, nothing);
    expect([first.added, first.rows]).toEqual([1, 1]);
    const again = await rebuildCatalogue(store.compaction, QUIET, nothing);
    expect([again.added, again.rows, again.erasedAgain]).toEqual([0, 0, 0]);
  });

  test('takes in for thirty days what a database that went back in time has forgotten', async () => {
    const store = await emptyStore();
    const sent = (n: number) => ({ n, device: n, user: null, hours: 0, hasId: true });
    const send = (n: number) =>
      live(store, [
        { kind: 'send', app: 0, sent: [sent(n)] },
        { kind: 'compact', kill: null },
      ]);
    await send(1);
    const failOver = await saveCatalogue(sql, store, temporaryFolder('behind'));
    await send(2);
    const acknowledged = await rows(store);
    await failOver();
    expect(await rows(store)).toHaveLength(1);
    await sweepOrphans(store.compaction, Date.now() + 29 * DAY_MS);
    await rebuildCatalogue(store.compaction, QUIET, nothing);
    expect(await rows(store)).toEqual(acknowledged);
  });

  test('has every event once, by the same people, whatever was killed before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Step, { minLength: 4, maxLength: 24 }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
        async (steps, killRebuildAt) => {
          const store = await emptyStore();
          const goBack = await live(store, steps);
          // What waits in the log may tell of further devices of an erased person.
          if (steps.some(({ kind }) => kind === 'erase')) await compactRest(store);
          const before = await rows(store);
          await (goBack?.() ?? loseCatalogue(sql));
          const rebuild = (compactor: Compactor) => rebuildCatalogue(compactor, QUIET, nothing);
          if (killRebuildAt !== null) {
            await killedAt(store.compaction, { at: killRebuildAt, afterCommit: false }, rebuild);
          }
          await rebuild(store.compaction);
          expect(await rows(store)).toEqual(before);
          await compactRest(store);
          expect(await rows(store)).toEqual(before);
          const again = await rebuild(store.compaction);
          expect([again.added, again.rows, again.retired]).toEqual([0, 0, []]);
        },
      ),
      { numRuns: isFullRun ? 600 : 25 },
    );
  });
});
