import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readMoment } from '../../../src/event-store/catalogue/moment-queries.ts';
import { advanceCatalogue } from '../../../src/event-store/catalogue/queries.ts';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { ReadAhead } from '../../../src/event-store/compaction/read-ahead.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { insertImportChunk } from '../../../src/event-store/imports/queries.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import {
  deleteAppEvents,
  eraseFromEvents,
  finishErasures,
} from '../../../src/event-store/people/erasure-queries.ts';
import { insertAliases } from '../../../src/event-store/people/queries.ts';
import { deleteImport } from '../../../src/event-store/undo/queries.ts';
import { at, must } from '../../../src/shared/assert.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { connectTo, testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { deps } = service;
const { sql } = deps;
const { logDir } = deps.config.events;
const compaction = await openCompactor(deps);
const { orgId } = await createTestOrg(service);

const IDS = ['one', 'two', 'three', 'four', 'five'];
const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
let receivedAt = START_MS + 2 * DAY_MS;

/** Of a process that has answered nothing yet. */
const newProcess = () => new HotEvents(deps, logDir);

async function newApp() {
  const { appId } = await createTestApp(service, orgId);
  const scope = { orgId, appId };
  const window = { ...scope, fromMs: START_MS, toMs: START_MS + 7 * DAY_MS };
  return { scope, window, importId: `imp_${appId}` };
}
type App = Awaited<ReturnType<typeof newApp>>;

/** By another process, so that this one may ask before it is committed. */
async function signIn({ scope }: App, anonymousId: string, beforeCommit = async () => {}) {
  const other = connectTo(must(deps.config.databaseUrl, 'tests have one'), {
    ...{ maxConnections: 1, applicationName: 'other' },
  });
  await other.begin(async (tx) => {
    const seq = await advanceCatalogue(tx);
    const alias = { anonymousId, userId: 'ann', mappedAtMs: receivedAt };
    await insertAliases(tx, [{ ...scope, ...alias }], seq);
    await beforeCommit();
  });
  await other.end();
}

async function snapshotOf(process: HotEvents, { window }: App) {
  const { files, hotRows, lateAliases, sharesIds, erased } = await process.snapshot(window);
  const users = lateAliases.map(({ anonymousId, userId }) => `${anonymousId} ${userId}`);
  return {
    ...{ users: users.toSorted(), sharesIds, erased: erased.toSorted() },
    files: files.map(({ path }) => path),
    hotRows: hotRows.map(({ personId, occurredAtUs }) => `${occurredAtUs} ${personId}`),
  };
}

type Sent = { device: number; user: number | null; isImported: boolean };

async function send({ scope, importId }: App, sent: readonly Sent[]): Promise<void> {
  for (const { device, user, isImported } of sent) {
    receivedAt += 10;
    if (isImported) await insertImportChunk(sql, { ...scope, importId }, receivedAt);
    const log = await EventLog.open({ dir: logDir, log: quietLog() });
    const userId = user === null ? undefined : at([...IDS, 'ann', 'ben'], user);
    const events = [
      { name: 'opened', anonymousId: at(IDS, device), ts: new Date(receivedAt), userId },
    ];
    await log.append({
      ...{ org: scope.orgId, app: scope.appId, key: 'key_1', receivedAt },
      body: Buffer.from(JSON.stringify({ events })),
    });
    await log.close();
  }
}

const steps = {
  send,
  compact: async (app: App, sent: readonly Sent[]) => {
    await send(app, sent);
    // Small files are merged by `rewrite` alone.
    await compactOnce(compaction, new ReadAhead(compaction));
  },
  rewrite: async () => {
    while ((await coalesceOnce(compaction)) > 0);
    await finishErasures(sql);
  },
  erase: async ({ scope }: App, sent: readonly Sent[]) => {
    await sql.begin((tx) => eraseFromEvents(tx, scope, at(IDS, at(sent, 0).device), []));
  },
  undo: async ({ scope, importId }: App) => {
    await sql.begin(async (tx) => {
      await tx`DELETE FROM event_undone_imports WHERE import_id = ${importId}`;
      await deleteImport(tx, { ...scope, importId }, await advanceCatalogue(tx));
    });
  },
  delete: ({ scope }: App) => deleteAppEvents(sql, scope),
};

const someSent = fc.array(
  fc.record({
    device: fc.nat({ max: IDS.length - 1 }),
    user: fc.option(fc.nat({ max: IDS.length + 1 }), { freq: 3 }),
    isImported: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);
const someStep = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('compact' as const) },
    { weight: 2, arbitrary: fc.constant('send' as const) },
    { weight: 2, arbitrary: fc.constantFrom('rewrite', 'erase', 'undo') },
  ),
  sent: someSent,
  isAsked: fc.tuple(fc.boolean(), fc.boolean()),
});

test('a process that has answered before knows the aliases, erasures and files of now', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someStep, { minLength: 3, maxLength: 12 }),
      fc.boolean(),
      async (some, isDeleted) => {
        const app = await newApp();
        const processes = [newProcess(), newProcess()];
        const check = async (process: HotEvents) => {
          const { sharesIds, ...known } = await snapshotOf(process, app);
          const { sharesIds: mayShare, ...fresh } = await snapshotOf(newProcess(), app);
          expect(known).toEqual(fresh);
          // Of older files too, which only makes it true more often.
          if (mayShare) expect(sharesIds).toBe(true);
        };
        for (const { kind, sent, isAsked } of some) {
          await steps[kind](app, sent);
          for (const [index, process] of processes.entries()) {
            if (isAsked[index]) await check(process);
          }
        }
        if (isDeleted) await steps.delete(app);
        for (const process of processes) await check(process);
      },
    ),
    { numRuns: isFullRun ? 300 : 12, endOnFailure: true },
  );
}, 600_000);

test('an alias that is committed late is in the first question after its commit', async () => {
  const app = await newApp();
  await steps.compact(app, [{ device: 0, user: null, isImported: false }]);
  const process = newProcess();
  expect((await snapshotOf(process, app)).users).toEqual([]);
  await signIn(app, 'one', async () => {
    expect((await snapshotOf(process, app)).users).toEqual([]);
  });
  expect((await snapshotOf(process, app)).users).toEqual(['one ann']);
  await sql.begin((tx) => eraseFromEvents(tx, app.scope, 'ann', []));
  expect(await snapshotOf(process, app)).toMatchObject({ users: [], erased: ['ann', 'one'] });
});

test('a device that became a user of another is known to be shared', async () => {
  const app = await newApp();
  const one = (device: number, user: number | null) => [{ device, user, isImported: false }];
  for (const device of [0, 1]) await steps.compact(app, one(device, null));
  await steps.compact(app, one(0, IDS.length));
  const process = newProcess();
  expect((await snapshotOf(process, app)).sharesIds).toBe(false);
  await steps.compact(app, one(1, 0));
  expect((await snapshotOf(process, app)).sharesIds).toBe(true);
});

test('aliases are read once while nobody signs in and nobody is erased', async () => {
  const app = await newApp();
  await steps.compact(app, [{ device: 0, user: null, isImported: false }]);
  await signIn(app, 'one');
  const process = newProcess();
  const first = await process.snapshot(app.window);
  await steps.compact(app, [{ device: 1, user: null, isImported: false }]);
  const second = await process.snapshot(app.window);
  expect(first.lateAliases).toHaveLength(1);
  expect(second.lateAliases).toBe(first.lateAliases);
});

test('rows of the log are resolved once while neither they nor people change', async () => {
  const app = await newApp();
  await signIn(app, 'one');
  await steps.send(app, [{ device: 0, user: null, isImported: false }]);
  const process = newProcess();
  // A row of somebody else's is a copy, made by resolving it.
  const [first] = (await process.snapshot(app.window)).hotRows;
  const [second] = (await process.snapshot(app.window)).hotRows;
  expect(first).toMatchObject({ personId: 'ann' });
  expect(second).toBe(first);
  await steps.send(app, [{ device: 1, user: null, isImported: false }]);
  expect((await process.snapshot(app.window)).hotRows).toHaveLength(2);
  await steps.erase(app, [{ device: 0, user: null, isImported: false }]);
  expect(await snapshotOf(process, app)).toEqual(await snapshotOf(newProcess(), app));
});

test('keys that one app was looked up in stay open while another has no rows', async () => {
  const [app, other] = [await newApp(), await newApp()];
  let opened = 0;
  const localPath = (path: string) => {
    if (path.includes('/keys/')) opened += 1;
    return deps.objects.localPath(path);
  };
  const process = new HotEvents({ ...deps, objects: { ...deps.objects, localPath } }, logDir);
  const sendKeyed = async (id: string) => {
    receivedAt += 10;
    const log = await EventLog.open({ dir: logDir, log: quietLog() });
    const event = { id, name: 'opened', anonymousId: 'device-1', ts: new Date(receivedAt) };
    await log.append({
      ...{ org: orgId, app: app.scope.appId, key: 'key_1', receivedAt },
      body: Buffer.from(JSON.stringify({ events: [event] })),
    });
    await log.close();
  };
  await sendKeyed('first-event');
  await compactOnce(compaction, new ReadAhead(compaction));
  await sendKeyed('second-event');
  await process.snapshot(app.window);
  const before = opened;
  expect(before).toBeGreaterThan(0);
  await process.snapshot(other.window);
  await sendKeyed('third-event');
  await process.snapshot(app.window);
  expect(opened).toBe(before);
});

test('a moment leaves out what is known of the log until an alias, erasure or run of keys is new', async () => {
  const app = await newApp();
  const one = { device: 0, user: null, isImported: false };
  await send(app, [one]);
  const asked = {
    ...{ window: app.window, owners: [], segmentIds: [], devices: IDS, importedAt: [] },
    ...{ aliasesAfter: 0, knownPeople: null },
  };
  const ofLog = async (knownLog: string | null) =>
    (await readMoment(sql, { ...asked, knownLog })).ofLog;
  let known = must(await ofLog(null), 'nothing is known yet').state;
  const changes = [
    () => signIn(app, 'one'),
    () => steps.erase(app, [one]),
    () => steps.compact(app, [one]),
  ];
  for (const change of changes) {
    expect(await ofLog(known)).toBeNull();
    await change();
    known = must(await ofLog(known), 'a fact has changed').state;
  }
  expect(await ofLog(known)).toBeNull();
});
