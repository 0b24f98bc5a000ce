import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { newId } from '../../../src/shared/ids.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { append, openEventStore, visibleRows } from '../../support/event-store.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const database = await testDatabase();
const store = await openEventStore(database.sql);
const logs = [await store.openLog(), await store.openLog()];
afterAll(() => Promise.all(logs.map((log) => log.close())));

const RUNS = process.env.TEST_FULL ? 200 : 12;

type Step =
  | { kind: 'send'; log: number; first: number; count: number; signIn: boolean }
  | { kind: 'compact' }
  | { kind: 'look' }
  | { kind: 'pause' };

/** Steps overlap in the numbers they send, so most histories hold many resent events. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      log: fc.nat({ max: 1 }),
      first: fc.nat({ max: 30 }),
      count: fc.integer({ min: 1, max: 6 }),
      signIn: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'compact' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'look' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'pause' as const }) },
);

const anonymousOf = (n: number) => `anonymous-${n % 5}`;

function numbered(n: number): StoredEvent {
  return { id: `event-${String(n).padStart(6, '0')}`, name: 'step', anonymousId: anonymousOf(n) };
}

async function expectVisible(appId: string, sent: Set<number>, users: Map<string, string>) {
  const rows = await visibleRows(store, appId);
  const found = rows.filter((row) => row.name === 'step');
  expect(found.map((row) => Number(row.eventId?.slice(6))).toSorted((a, b) => a - b)).toEqual(
    [...sent].toSorted((a, b) => a - b),
  );
  for (const row of found) expect(row.personId).toBe(users.get(row.anonymousId) ?? row.anonymousId);
}

describe('what a query sees', () => {
  test('is every acknowledged event once, whatever moves between the log and the files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const appId = newId('app');
        const sent = new Set<number>();
        const users = new Map<string, string>();
        for (const one of steps) {
          if (one.kind === 'pause') await pause(40, 'the person does nothing');
          if (one.kind === 'compact') await compactOnce(store.compaction);
          if (one.kind === 'look') await expectVisible(appId, sent, users);
          if (one.kind !== 'send') continue;
          const numbers = Array.from({ length: one.count }, (_, i) => one.first + i);
          const events = numbers.map(numbered);
          const anonymousId = anonymousOf(one.first);
          if (one.signIn) {
            const userId = users.get(anonymousId) ?? `user-${one.first}`;
            events.push({ name: 'sign_in', anonymousId, userId });
            users.set(anonymousId, userId);
          }
          await append(logs[one.log]!, appId, events);
          for (const n of numbers) sent.add(n);
        }
        await expectVisible(appId, sent, users);
      }),
      { numRuns: RUNS },
    );
  });

  test('stays so while queries, ingest and compaction run at the same time', async () => {
    const appId = newId('app');
    const acknowledged = new Set<number>();
    let plainSent = 0;
    let sending = true;
    const send = async (log: (typeof logs)[number], offset: number) => {
      for (let n = offset; n < 1_000; n += 2) {
        const plain = { name: 'plain', anonymousId: 'anonymous-9' };
        await append(log, appId, [numbered(n), numbered(Math.max(0, n - 7)), plain]);
        plainSent += 1;
        acknowledged.add(n).add(Math.max(0, n - 7));
      }
    };
    const compact = async () => {
      while (sending) await compactOnce(store.compaction);
    };
    const look = async () => {
      while (sending) {
        const before = new Set(acknowledged);
        const plainBefore = plainSent;
        const all = await visibleRows(store, appId);
        const plain = all.filter((row) => row.name === 'plain').length;
        expect(plain).toBeGreaterThanOrEqual(plainBefore);
        expect(plain).toBeLessThanOrEqual(plainSent + logs.length);
        const rows = all.filter((row) => row.name === 'step');
        const numbers = rows.map((row) => Number(row.eventId?.slice(6)));
        expect(new Set(numbers).size).toBe(numbers.length);
        expect([...before].filter((n) => !numbers.includes(n))).toEqual([]);
      }
    };
    const readers = [compact(), look(), look()];
    await Promise.all([send(logs[0]!, 0), send(logs[1]!, 1)]);
    sending = false;
    await Promise.all(readers);
    await expectVisible(appId, acknowledged, new Map());
  });

  test('of an earlier moment is not changed by what a later query has learnt', async () => {
    const appId = newId('app');
    const held = Promise.withResolvers<void>();
    let holdNext = true;
    /** The database, but the first moment of it that is read waits then, as under load. */
    const slow = new Proxy(database.sql, {
      apply: (sql, self, given) => {
        const asked: unknown = Reflect.apply(sql, self, given);
        if (!holdNext || !String(given[0]).includes('SELECT now() AS now')) return asked;
        holdNext = false;
        return Promise.resolve(asked).then(async (read) => {
          await held.promise;
          return read;
        });
      },
    });
    const { objects } = store;
    const hot = new HotEvents({ sql: slow, objects, clock: systemClock }, store.logDir);
    const rows = () => visibleRows({ hot, connection: store.connection }, appId);
    const first = await store.openLog();
    await append(first, appId, [numbered(1)]);
    // This one stays open, so its copy of the event is still in the log when the other's is not.
    const second = await store.openLog(60_000);
    await append(second, appId, [numbered(1)]);

    const early = rows();
    await until('the first is let go', () => !holdNext);
    await first.close();
    const inFiles = async () =>
      (await database.sql`SELECT 1 FROM event_file_apps WHERE app_id = ${appId}`).length > 0;
    while (!(await inFiles())) await compactOnce(store.compaction);
    expect(await rows()).toHaveLength(1);
    held.resolve();
    expect(await early).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
    await second.close();
  });
});
