import { afterAll, expect, test } from 'bun:test';
import { type CompactionResult, compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { maintainRuns } from '../../../src/event-store/compaction/maintain-runs.ts';
import { KeyIndex } from '../../../src/event-store/dedup/key-index.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { openEngine } from '../../../src/event-store/parquet/engine.ts';
import {
  deleteAppEvents,
  eraseFromEvents,
} from '../../../src/event-store/people/erasure-queries.ts';
import { newId } from '../../../src/shared/ids.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { Turns } from '../../support/turns.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);
const HOSTS = ['a', 'b', 'c'];
const ORDERS = isFullRun ? 1_000 : 6;
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

const hosts = await Promise.all(
  HOSTS.map(async (name) => ({
    name,
    logDir: temporaryFolder(`host-${name}`),
    connection: await openEngine({ memoryMb: 128, threads: 1, tempDir: `${store.dir}/${name}` }),
    keys: new KeyIndex((path) => store.objects.localPath(path)),
  })),
);
afterAll(() => {
  for (const { connection } of hosts) connection.closeSync();
});

const DEVICES = 4;
const SIGN_IN = 'sign-in';
const numbered = (n: number): StoredEvent => ({
  id: `event-${String(n).padStart(5, '0')}`,
  name: 'step',
  anonymousId: `device-${n % DEVICES}`,
  ts: new Date(Date.UTC(2026, 2, 10, n % 3)).toISOString(),
});

/** Sends the same few events to every host, and users that claim the same devices. */
async function fill(
  appIds: readonly string[],
  random: () => number,
): Promise<Map<string, Set<string>>> {
  const sent = new Map(appIds.map((appId) => [appId, new Set<string>()]));
  const whole = (below: number) => Math.floor(random() * below);
  for (const { logDir, name } of hosts) {
    for (let segment = 0; segment < 2; segment += 1) {
      const log = await EventLog.open({ dir: logDir, log: store.log });
      for (const appId of appIds) {
        const events = Array.from({ length: 1 + whole(4) }, () => numbered(whole(40)));
        if (random() < 0.5) {
          const device = whole(DEVICES);
          const anonymousId = `device-${device}`;
          events.push({
            name: 'sign_in',
            id: `${SIGN_IN}-${name}-${device}`,
            userId: `user-${name}`,
            anonymousId,
          });
        }
        await append(log, appId, events);
        for (const { id = '', anonymousId } of events) sent.get(appId)?.add(`${id} ${anonymousId}`);
      }
      await log.close();
    }
  }
  return sent;
}

async function compactAllOf(host: (typeof hosts)[number], turns: Turns): Promise<void> {
  const compactor = {
    ...store.compaction,
    ...host,
    sql: turns.sql(host.name, sql),
    objects: turns.objects(host.name, store.objects),
  };
  let done: CompactionResult;
  do done = await compactOnce(compactor);
  while (done.more);
}

/** What an app should show in the end: every event once, but of erased devices none. */
async function expectWhole(appId: string, sent: ReadonlySet<string>): Promise<void> {
  const rows = await visibleRows(store, appId);
  const found = rows.map(({ eventId, anonymousId }) => `${eventId} ${anonymousId}`);
  expect(new Set(found).size).toBe(found.length);
  const subjects = await sql<{ subject: string }[]>`
    SELECT subject FROM event_erasures WHERE app_id = ${appId}`;
  const erased = new Set(subjects.map(({ subject }) => subject));
  const aliases = await sql<{ anonymous_id: string; user_id: string }[]>`
    SELECT anonymous_id, user_id FROM event_people WHERE app_id = ${appId}`;
  const users = new Map(aliases.map((one) => [one.anonymous_id, one.user_id]));
  for (const row of rows) {
    expect(row.personId).toBe(row.userId ?? users.get(row.anonymousId) ?? row.anonymousId);
    expect(erased.has(row.personId)).toBe(false);
  }
  for (const id of erased) expect(users.has(id)).toBe(false);
  // A sign-in is of whichever user came first, who may have been erased.
  const isCounted = (event: string) =>
    erased.size === 0 || (!event.startsWith(SIGN_IN) && !erased.has(event.split(' ')[1] ?? ''));
  expect(found.filter(isCounted).toSorted()).toEqual([...sent].filter(isCounted).toSorted());
}

/** One order of what the hosts, a merge of key runs, an erasure and a deletion do side by side. */
async function runOrder(seed: number): Promise<number> {
  const random = randomFrom(seed);
  const [plain, erasing, deleted] = [newId('app'), newId('app'), newId('app')];
  const sent = await fill([plain, erasing, deleted], random);
  const turns = new Turns(random);
  const compactors = hosts.map((host) => [host.name, () => compactAllOf(host, turns)] as const);
  await turns.run({
    ...Object.fromEntries(compactors),
    merging: async () => {
      const merger = {
        ...store.compaction,
        sql: turns.sql('merging', sql),
        objects: turns.objects('merging', store.objects),
      };
      for (let n = 0; n < 3; n += 1) await maintainRuns(merger);
    },
    erasure: async () => {
      await turns
        .sql('erasure', sql)
        .begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId: erasing }, 'device-1', []));
    },
    deletion: () => deleteAppEvents(turns.sql('deletion', sql), { orgId: 'org_1', appId: deleted }),
  });
  await expectWhole(plain, sent.get(plain) ?? new Set());
  await expectWhole(erasing, sent.get(erasing) ?? new Set());
  expect(await visibleRows(store, deleted)).toEqual([]);
  return turns.turns;
}

test(
  `commits of three compactors in any order of their steps store every event once (seed ${SEED})`,
  async () => {
    let steps = 0;
    for (let n = 0; n < ORDERS; n += 1) {
      try {
        steps += await runOrder(SEED + n);
      } catch (error) {
        throw new Error(`TEST_SEED=${SEED + n} shows it`, { cause: error });
      }
    }
    // An order of fewer steps would not be one of every await.
    expect(steps).toBeGreaterThan(100 * ORDERS);
  },
  Math.max(1_200_000, ORDERS * 5_000),
);
