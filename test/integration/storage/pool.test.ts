import { afterAll, describe, expect, test } from 'bun:test';
import { toAppError } from '../../../src/http/error-response.ts';
import { withLock } from '../../../src/storage/locks.ts';
import {
  createSql,
  isDatabaseUnavailable,
  isLockTimeout,
  mayRest,
} from '../../../src/storage/postgres.ts';
import { poolStuck } from '../../../src/storage/watch-pool.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const database = await testDatabase({ isDirect: true });
const WAIT_MS = 2_000;

function smallPool(maxConnections: number) {
  const sql = createSql(database.url, {
    maxConnections,
    applicationName: 'test',
    limits: { connectionMs: WAIT_MS, lockMs: WAIT_MS, idleInTransactionMs: 60_000 },
  });
  afterAll(() => sql.end({ timeout: 0 }));
  return sql;
}

function idlePool(idleInTransactionMs: number) {
  const limits = { connectionMs: 60_000, lockMs: 0, idleInTransactionMs };
  const sql = createSql(database.url, { maxConnections: 2, applicationName: 'test', limits });
  afterAll(() => sql.end({ timeout: 0 }));
  return sql;
}

const thrownBy = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => null,
    (thrown: unknown) => thrown,
  );

/** How a request is answered that this fault ends. */
const answerTo = (thrown: unknown) => {
  const { code, retryAfterSeconds } = toAppError(thrown, null);
  return { code, comesBack: (retryAfterSeconds ?? 0) > 0 };
};
const COMES_BACK = { code: 'unavailable', comesBack: true } as const;

describe('whoever holds a connection', () => {
  test('is refused another one of the same pool', async () => {
    const { sql } = database;
    const nested = [
      () => sql`SELECT 1`,
      () => sql.unsafe('SELECT 1'),
      () => sql.begin((tx) => tx`SELECT 1`),
      () => sql.reserve(),
    ];
    for (const use of nested) {
      const thrown = await thrownBy(sql.begin(async () => void (await use())));
      expect(String(thrown)).toContain('Inside a transaction');
    }
    expect(await sql`SELECT 1`).toHaveLength(1);
  });

  test('may use its transaction, parts of statements, and the pool once it has ended', async () => {
    const { sql } = database;
    let after: Promise<unknown> = Promise.resolve();
    const ended = Promise.withResolvers<void>();
    await sql.begin(async (tx) => {
      expect(await tx`SELECT ${sql`1`} AS one`).toEqual([{ one: 1 }] as never);
      await tx.savepoint((point) => point`SELECT 1`);
      after = ended.promise.then(() => sql`SELECT 1`);
    });
    ended.resolve();
    expect(await after).toHaveLength(1);
  });

  test('of a lock may use the pool, even one of a single connection', async () => {
    const sql = smallPool(1);
    const held = await withLock(sql, 'compaction', () => sql`SELECT 1 AS one`);
    expect(held?.value[0]).toEqual({ one: 1 });
  });
});

describe('nobody waits without end', () => {
  test('for a connection, however it is asked for; then the pool serves on', async () => {
    const sql = smallPool(1);
    const held = await sql.reserve();
    const waiting = [
      sql`SELECT 1`,
      sql.unsafe('SELECT 1'),
      sql.begin((tx) => tx`SELECT 1`),
      sql.reserve(),
    ];
    for (const thrown of await Promise.all(waiting.map(thrownBy))) {
      expect(thrown).toHaveProperty('code', 'POOL_EXHAUSTED');
      expect(isDatabaseUnavailable(thrown)).toBe(true);
      expect(answerTo(thrown)).toEqual(COMES_BACK);
    }
    held.release();
    for (let count = 0; count < 3; count += 1) {
      expect(await sql.begin((tx) => tx`SELECT 1`)).toHaveLength(1);
    }
  });

  test('for a lock', async () => {
    const sql = smallPool(2);
    await sql`CREATE TABLE IF NOT EXISTS waited_for (id integer)`;
    const locked = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const holder = sql.begin(async (tx) => {
      await tx`LOCK TABLE waited_for`;
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    const thrown = await thrownBy(sql`SELECT * FROM waited_for`);
    expect(isLockTimeout(thrown)).toBe(true);
    expect(answerTo(thrown)).toEqual(COMES_BACK);
    done.resolve();
    await holder;
    expect(await sql`SELECT * FROM waited_for`).toHaveLength(0);
  });

  test('for the next statement of a transaction', async () => {
    const sql = idlePool(50);
    const thrown = await thrownBy(
      sql.begin(async (tx) => {
        await tx`SELECT 1`;
        await new Promise(() => undefined);
      }),
    );
    expect(answerTo(thrown)).toEqual(COMES_BACK);
    expect(await sql`SELECT 1`).toHaveLength(1);
  });

  test('but for one that works elsewhere', async () => {
    const limit = 'SHOW idle_in_transaction_session_timeout';
    const limits = await idlePool(60_000).begin(async (tx) => {
      const before = await tx.unsafe(limit);
      await mayRest(tx);
      return [...before, ...(await tx.unsafe(limit))];
    });
    expect(limits.map((row) => Object.values(row))).toEqual([['1min'], ['0']]);
  });
});

test('a pool of which all wait for a lock is none that is lost, however long somebody else has it', async () => {
  const { sql } = database;
  const [waiting, lost] = [smallPool(2), smallPool(1)];
  await sql`CREATE TABLE IF NOT EXISTS kept_by_another (id integer)`;
  const stopping = new AbortController();
  let isStuck = false;
  const keeping = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const keeper = sql.begin(async (tx) => {
    await tx`LOCK TABLE kept_by_another`;
    locked.resolve();
    await keeping.promise;
  });
  await locked.promise;
  let refused = 0;
  const wait = async () => {
    while (!stopping.signal.aborted) {
      const thrown = await thrownBy(waiting`SELECT * FROM kept_by_another`);
      if (isLockTimeout(thrown)) refused += 1;
      // Of a pool that has been closed each refusal comes at once.
      else if (!isDatabaseUnavailable(thrown)) return;
    }
  };
  const waits = Promise.all(Array.from({ length: 6 }, wait));
  void poolStuck(waiting, stopping.signal, 500).then(() => {
    isStuck = !stopping.signal.aborted;
  });
  // For as long as it takes to find two lost ones, one after the other.
  await lost.reserve();
  await poolStuck(lost, stopping.signal, 500);
  await poolStuck(lost, stopping.signal, 500);
  await until('waits for the lock have ended', (saw) => {
    saw(refused);
    return refused >= 4;
  });
  const wasStuck = isStuck;
  stopping.abort();
  keeping.resolve();
  await Promise.all([keeper, waits]);
  expect(wasStuck).toBe(false);
});

test('a pool that nobody gives anything back to is found, one that is at work is not', async () => {
  const busy = smallPool(1);
  const lost = smallPool(1);
  await lost.reserve();
  const stopping = new AbortController();
  let busyIsStuck = false;
  const work = busy`SELECT pg_sleep(8)`.then(() => 'worked');
  void poolStuck(busy, stopping.signal, 500).then(() => {
    busyIsStuck = !stopping.signal.aborted;
  });
  // Between statements for most of the time, as in a process that has little of the processor.
  const slow = smallPool(1);
  let slowIsStuck = false;
  void poolStuck(slow, stopping.signal, 500).then(() => {
    slowIsStuck = !stopping.signal.aborted;
  });
  const steps = slow.begin(async (tx) => {
    while (!stopping.signal.aborted) {
      await tx`SELECT 1`;
      await pause(100, 'one statement after the other');
    }
  });
  await poolStuck(lost, stopping.signal, 500);
  expect([busyIsStuck, slowIsStuck]).toEqual([false, false]);
  stopping.abort();
  await steps;
  expect(await work).toBe('worked');
});
