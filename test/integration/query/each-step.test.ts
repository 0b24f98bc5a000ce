import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { maintainRuns } from '../../../src/event-store/compaction/maintain-runs.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import type { Compactor } from '../../../src/event-store/parquet/compactor.ts';
import { publishLake } from '../../../src/lake/publish.ts';
import { createAssignments } from '../../../src/modules/experiments/assignments.ts';
import { createFlagSets } from '../../../src/modules/flags/flag-sets.ts';
import { createOfferings } from '../../../src/modules/offerings/kept.ts';
import { createProfiles } from '../../../src/modules/purchases/entitlement/profiles.ts';
import { createRateSource } from '../../../src/modules/sales/rates/source.ts';
import { createMemberIds } from '../../../src/modules/segments/member-ids.ts';
import { resolveRule } from '../../../src/modules/segments/rules/resolve-rule.ts';
import { FileUses } from '../../../src/event-store/sums/file-uses.ts';
import { QueryEngine } from '../../../src/query/engine.ts';
import type { QuestionOf } from '../../../src/query/kinds.ts';
import { answerHere } from '../../../src/query/server.ts';
import { newId } from '../../../src/shared/ids.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { dumpDatabase } from '../../../src/storage/dump/dump.ts';
import { Downloads } from '../../../src/storage/object-store/downloads.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { APP, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { event, quietLog, temporaryFolder } from '../../support/events.ts';
import { lakeOf } from '../../support/lake/lake.ts';
import { livePaths, maintain } from '../../support/lake/events.ts';
import { currentFiles, readTable } from '../../support/lake/read-table.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { type Fill, isStop, Steps, stopAtEach } from '../../support/steps.ts';

/*
 * What a process keeps, and what it publishes, with its work stopped at every await in turn: a cache
 * then says what one says that nobody disturbed, and nothing is published in part.
 */
const database = await testDatabase();
const service = await startTestService(database);
const org = await createTestOrg(service);
const { appId } = await createTestApp(service, org.orgId);
const store = await openEventStore(database.sql);
const { sql } = database;
const scope = { orgId: org.orgId, appId };

let logged = 0;
async function logEvents(count: number): Promise<void> {
  logged += count;
  const log = await store.openLog();
  const events = Array.from({ length: count }, (_, n) =>
    event({
      id: newId('evt'),
      anonymousId: `device-${n}`,
      ...(n % 3 === 0 && { userId: `user-${n % 7}` }),
    }),
  );
  await append(log, appId, events);
  await log.close();
}

await logEvents(60);
await compactOnce(store.compaction);
await coalesceOnce(store.compaction);
await logEvents(60);

const window = {
  ...{ orgId: 'org_1', appId, fromMs: 0, toMs: Date.now() + 600_000 },
  ...{ withCounts: true, withProjections: true },
};

type Open = (steps: Steps) => Fill;
const OF_THE_DATABASE: Record<string, Open> = {
  'the log, aliases, keys, files and projections': ({ through }) => {
    const deps = { sql: through(sql), objects: through(store.objects), clock: systemClock };
    const hot = new HotEvents(deps, store.logDir);
    return async () => {
      const { files, hotRows, lateAliases, erased } = await hot.snapshot(window);
      return {
        files: files.map(({ path, rows, projection }) => [path, rows, projection?.rows]),
        ...{ rows: hotRows.length, lateAliases, erased },
      };
    };
  },
  'rates of exchange': ({ through }) => {
    const rates = createRateSource(through(sql));
    return async () => {
      const { revision, ...table } = await rates.load('2026-01-01', '2026-03-01');
      return [revision, Object.keys(table)];
    };
  },
  'settings of purchases': ({ through }) => {
    const profiles = createProfiles(through(sql));
    return () => profiles.find(scope);
  },
  'flags of an app': ({ through }) => {
    const sets = createFlagSets(through(sql), systemClock);
    return async () => (await sets.find(scope)).version;
  },
  'offerings of an app': ({ through }) => {
    const kept = createOfferings(through(sql), systemClock);
    return () => kept.find(scope);
  },
  'rules of assignments': ({ through }) => {
    const kept = createAssignments(through(sql), systemClock);
    return () => kept.rules(scope);
  },
};

const undisturbed = () => new Steps(Number.POSITIVE_INFINITY, false);

test.each(Object.entries(OF_THE_DATABASE))('%s', async (_, open) => {
  const expected = await open(undisturbed())();
  const steps = await stopAtEach(open, (found) => expect(found).toEqual(expected));
  expect(steps).toBeGreaterThan(0);
});

const duck = await TestDuck.open();
afterAll(() => duck.close());
const rows = Array.from({ length: 300 }, (_, n) =>
  eventRow({
    ...{ name: n % 2 === 0 ? 'opened' : 'bought', anonymousId: `device-${n % 40}`, arrival: n },
    ...{ occurredAtUs: n * 60_000_000, props: JSON.stringify({ plan: n % 5 }) },
  }),
);
const PEOPLE: QuestionOf<'segment'> = {
  ...{ orgId: ORG, appId: APP, beforeUs: 10 ** 12, after: null, limit: 100 },
  rules: resolveRule(
    { all: [{ did: { events: ['bought'] }, atLeast: 2 }] },
    {
      ...{ nowUs: 10 ** 12, timezone: 'UTC', rules: new Map(), startsUs: new Map() },
      entitled: new Map(),
    },
  ),
};
const SERIES: QuestionOf<'series'> = {
  ...{ orgId: ORG, appId: APP, names: null, filters: {}, valuesFrom: 0, ranges: [[0, 1]] },
  ...{ breakdown: { kind: 'prop', prop: 'plan' }, boundariesUs: [0, 10 ** 12] },
};

/** Files of another organization at each attempt: what is kept is of one. */
test('projections of small files, footers and members of segments', async () => {
  const file = await duck.writeFile(rows, { level: 1 });
  const bytes = await Bun.file(file.path).bytes();
  const open = async (steps: Steps, attempt: number | string) => {
    const path = join(duck.dir, `attempt-${attempt}.parquet`);
    await Bun.write(path, bytes);
    const of = { orgId: `org_${attempt}` };
    const snapshot = async () => ({
      files: [
        {
          ...{ ...file, path, projection: null, firstRow: 0 },
          ...{ minReceivedAt: new Date(0), maxReceivedAt: new Date(0) },
        },
      ],
      ...{ hotRows: [], lateAliases: [], sharesIds: false, erased: [], erasedAs: new Map() },
      uses: new FileUses({ localPath: async (key) => key }, new Map()),
      dataThrough: new Date(42),
    });
    const engine = new QueryEngine({
      duck: steps.through(duck.duck),
      hot: { snapshot: () => steps.pass(snapshot) },
      ...{ timeoutMs: 60_000, onStuck: () => undefined },
    });
    return async () => [
      await answerHere(engine, 'segment', { ...PEOPLE, ...of }),
      await answerHere(engine, 'series', { ...SERIES, ...of }),
    ];
  };
  const expected = await (await open(undisturbed(), 'none'))();
  expect(expected[0]).toMatchObject({ total: 20 });
  expect(await stopAtEach(open, (found) => expect(found).toEqual(expected))).toBeGreaterThan(5);
});

test('members of segments for flags: those of before, until all are known', async () => {
  const rule = { all: [{ did: { events: ['bought'] }, atLeast: 1 }] };
  const made = await service.call(`/v1/apps/${appId}/segments`, {
    ...{ headers: org.key, body: { name: 'Buyers', rule } },
  });
  expect(made.status).toBe(201);
  const segmentId = made.body.id;
  let minutes = 0;
  const pages = [['a', 'b'], ['c', 'd'], ['e']];
  const open: Open = ({ through, pass }) => {
    let page = 0;
    let isFirst = true;
    const log = quietLog();
    const ask = async () => {
      const people = pages[page % pages.length];
      page += 1;
      return { people, hasMore: page % pages.length > 0 };
    };
    const deps = {
      ...{ sql: through(sql), log, clock: () => new Date(minutes * 60_000) },
      ...{ purchaseProfiles: createProfiles(sql), queries: { ask: () => pass(ask) } },
    } as unknown as Parameters<typeof createMemberIds>[0];
    const members = createMemberIds(deps);
    const find = () => members.find({ ...scope, segmentId });
    return async () => {
      page = 0;
      minutes += 2;
      const [before, failures] = [await find(), log.lines.length];
      const isAnew = async () => (await find()) !== before || log.lines.length > failures;
      if (!isFirst) await until('they are found anew', isAnew);
      isFirst = false;
      return [...(await find())];
    };
  };
  await stopAtEach(open, (found, _, isAgain) => {
    const all = pages.flat();
    if (isAgain) expect(found).toEqual(all);
    else expect([[], all] as unknown[]).toContainEqual(found);
  });
});

test('files that are fetched from the bucket', async () => {
  const bytes = Buffer.alloc(300_000, 7);
  const [source, cacheDir] = [join(store.dir, 'object'), temporaryFolder('downloads')];
  await Bun.write(source, bytes);
  const open = ({ pass }: Steps, attempt: number) => {
    async function* stream() {
      const chunks = Bun.file(source).stream().getReader();
      for (;;) {
        const { done, value } = await pass(() => chunks.read());
        if (done) return;
        yield value;
      }
    }
    const file = () => ({ stat: () => pass(() => Bun.file(source).stat()), stream });
    const downloads = new Downloads({
      ...{ cacheDir, limits: { maxBytes: 2 ** 30, keepMs: 60_000 }, reserveBytes: 0 },
      client: () => pass(async () => ({ file }) as never),
    });
    const path = join(cacheDir, `file-${attempt}`);
    return async () => {
      await downloads.fetch('object', path).catch((thrown) => {
        expect(existsSync(path)).toBe(false);
        throw thrown;
      });
      return bytes.equals(await Bun.file(path).bytes());
    };
  };
  expect(await stopAtEach(open, (whole) => expect(whole).toBe(true))).toBeGreaterThan(4);
});

/** As many as are joined. */
const FILES = 8;
const strideOf = (inShort: number) => (isFullRun ? 1 : inShort);
const lake = lakeOf(sql, store);
const read = () =>
  readTable(sql, { objects: store.objects, base: `file://${store.dir}/objects` }, 'events');
const published = async () =>
  currentFiles(await read())
    .map(({ path }) => path)
    .toSorted();

async function checkEvents(): Promise<void> {
  expect(await visibleRows(store, appId)).toHaveLength(logged);
}

/** Each way from the log to files, projections and key runs; files before, steps between stops. */
const WORK: [string, (compaction: Compactor) => Promise<unknown>, number, number][] = [
  ['files of the log', compactOnce, 0, 9],
  ['small files joined', coalesceOnce, FILES, 17],
  ['files of an app, their projections and columns', maintain, 1, 41],
  ['key runs merged', maintainRuns, FILES, 17],
];

test.each(WORK)('%s', async (_, work, files, stride) => {
  const open = async ({ through }: Steps) => {
    for (let n = 0; n < files; n += 1) {
      await logEvents(10);
      await compactOnce(store.compaction);
    }
    if (files === 0) await logEvents(10);
    const { objects, connection } = store.compaction;
    const compaction: Compactor = {
      ...store.compaction,
      ...{ sql: through(sql), objects: through(objects), connection: through(connection) },
    };
    return () => work(compaction);
  };
  expect(await stopAtEach(open, checkEvents, strideOf(stride))).toBeGreaterThan(5);
});

test('the published lake', async () => {
  await lake.publish();
  let before: string[] = [];
  const open = async ({ through }: Steps) => {
    before = await published();
    await logEvents(10);
    await compactOnce(store.compaction);
    const duck = async () => through(await lake.publisher.duck());
    const publisher = { ...lake.publisher, duck, objects: through(store.objects) };
    return () => publishLake(publisher);
  };
  const check = async () =>
    expect([before, await livePaths(sql)]).toContainEqual(await published());
  const steps = await stopAtEach(open, check, strideOf(11));
  await lake.publish();
  expect(await published()).toEqual(await livePaths(sql));
  expect(steps).toBeGreaterThan(5);
});

test('a backup of the database', async () => {
  const dir = temporaryFolder('dumps');
  const dump = async ({ through }: Steps) =>
    dumpDatabase(through(sql), join(dir, newId('app')), async () => undefined);
  const all = undisturbed();
  const { tables } = (await dump(all)).dump;
  expect(tables.find(({ name }) => name === 'event_files')?.rows).toBeGreaterThan(0);
  for (let stopAt = 2; stopAt <= all.taken; stopAt += strideOf(331)) {
    expect(await dump(new Steps(stopAt, false)).catch(isStop)).toBe(true);
  }
});
