import { describe, expect, test } from 'bun:test';
import { listen, type Socket } from 'bun';
import { createSql, isDatabaseUnavailable } from '../../../src/storage/postgres.ts';
import { readPages } from '../../../src/storage/read-pages.ts';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { pause } from '../../support/pause.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const NO_POSTGRES = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const database = await testDatabase({ maxConnections: 4, isDirect: true });

/** @see https://github.com/porsager/postgres/issues/1208 and patches/postgres@3.4.9.patch */
test('a reserved connection that the server ended fails its queries, not the process', async () => {
  const reserved = await database.sql.reserve();
  const [row] = await reserved<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await database.sql`SELECT pg_terminate_backend(${row?.pid ?? 0}, 5000)`;
  for (let count = 0; count < 3; count += 1) {
    const thrown = await reserved`SELECT 1`.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(thrown)).toBe(true);
  }
  reserved.release();
  expect(await database.sql`SELECT 1`).toHaveLength(1);
});

test('a transaction that lost its connection runs nothing more, on no other connection either', async () => {
  const { sql } = database;
  await sql`CREATE TABLE written (id integer)`;
  const begun = Promise.withResolvers<number>();
  const reopened = Promise.withResolvers<void>();
  const work = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    begun.resolve(row?.pid ?? 0);
    await reopened.promise;
    await tx`INSERT INTO written VALUES (1)`;
  });
  const ended = work.catch((error: unknown) => error);
  await sql`SELECT pg_terminate_backend(${await begun.promise}, 5000)`;
  // The pool opens its closed connections again for these.
  await Promise.all([1, 2, 3, 4].map(() => sql`SELECT pg_sleep(0.05)`));
  reopened.resolve();
  const thrown = await ended;
  expect(isDatabaseUnavailable(thrown)).toBe(true);
  await Promise.all([1, 2, 3, 4].map(() => sql`SELECT pg_sleep(0.05)`));
  expect(await sql`SELECT id FROM written`).toHaveLength(0);
});

test('the pool serves on after reserved connections were lost, again and again', async () => {
  for (let round = 0; round < 20; round += 1) {
    const reserved = await database.sql.reserve();
    const [row] = await reserved<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await database.sql`SELECT pg_terminate_backend(${row?.pid ?? 0}, 5000)`;
    await reserved`SELECT 1`.catch(() => undefined);
    reserved.release();
    expect(await database.sql`SELECT 1`).toHaveLength(1);
  }
});

test('what a connection was ended with fails no query after it', async () => {
  const { sql } = database;
  const reserved = await sql.reserve();
  const [row] = await reserved<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const sleeping = reserved`SELECT pg_sleep(60)`.catch((error: unknown) => error);
  await until('the query runs', async () => {
    const [found] = await sql`
      SELECT 1 FROM pg_stat_activity WHERE pid = ${row?.pid ?? 0} AND query LIKE '%pg_sleep(60)%'`;
    return found;
  });
  await sql`SELECT pg_terminate_backend(${row?.pid ?? 0}, 5000)`;
  expect(isDatabaseUnavailable(await sleeping)).toBe(true);
  reserved.release();
  // The pool opens its closed connection again for one of these.
  const answers = await Promise.all([1, 2, 3, 4].map(() => sql`SELECT pg_sleep(0.05)`));
  expect(answers).toHaveLength(4);
});

test('a statement between the reset of a connection and its end fails, and takes no answer of others', async () => {
  const proxy = await cuttableProxy(database.url);
  const sql = createSql(proxy.url, { maxConnections: 1, applicationName: 'reset' });
  for (let round = 0; round < 5; round += 1) {
    const name = `round ${round}`;
    const first = sql`SELECT pg_sleep(60)`;
    // Sent in the same tick in which the first one fails.
    const again = first.catch(() => sql<{ answer: string }[]>`SELECT 'again' AS answer`);
    const ended = again.then(
      (rows) => rows[0]?.answer === 'again',
      (thrown: unknown) => isDatabaseUnavailable(thrown),
    );
    await until('the statement runs', async () => {
      const [found] = await database.sql`
        SELECT 1 FROM pg_stat_activity
        WHERE application_name LIKE 'reset%' AND state = 'active' AND query LIKE '%pg_sleep(60)%'`;
      return found;
    });
    proxy.reset();
    expect(await ended).toBe(true);
    const answers = await Promise.all(
      [1, 2, 3].map((number) => sql<{ name: string }[]>`SELECT ${`${name} ${number}`} AS name`),
    );
    expect(answers.map(([row]) => row?.name)).toEqual([`${name} 1`, `${name} 2`, `${name} 3`]);
    await database.sql`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name LIKE 'reset%' AND query LIKE '%pg_sleep(60)%'`;
  }
  await sql.end({ timeout: 1 });
});

/** A balancer in front of servers that are all away takes connections and closes them. */
test.each([
  ['closed at once', (socket: Socket) => void socket.end(), () => undefined],
  ['closed unanswered', () => undefined, (socket: Socket) => void socket.end()],
  [
    'answered by another service',
    () => undefined,
    (socket: Socket) => void socket.end(NO_POSTGRES),
  ],
])('a connection that is %s fails its statement, and the next waits', async (_, open, data) => {
  let connections = 0;
  const counted = (socket: Socket) => {
    connections += 1;
    open(socket);
  };
  const listener = listen({ hostname: '127.0.0.1', port: 0, socket: { open: counted, data } });
  const url = `postgres://nobody@127.0.0.1:${listener.port}/none`;
  const sql = createSql(url, { maxConnections: 1, applicationName: 'closed' });
  for (let statement = 1; statement <= 3; statement += 1) {
    const thrown = await sql`SELECT 1`.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(thrown)).toBe(true);
    expect(connections).toBe(statement);
  }
  await sql.end({ timeout: 1 });
  listener.stop(true);
});

test('behind hosts that are away the one that answers is found', async () => {
  const listener = listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: (socket) => void socket.end(), data: () => undefined },
  });
  const { host } = new URL(database.url);
  const hosts = `127.0.0.1:${listener.port},127.0.0.1:1,${host}`;
  const url = database.url.replace(host, hosts);
  const sql = createSql(url, { maxConnections: 2, applicationName: 'hosts' });
  for (let round = 0; round < 3; round += 1) {
    expect(await sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }]);
    await sql`SELECT pg_terminate_backend(pg_backend_pid())`.catch(() => undefined);
  }
  await sql.end({ timeout: 1 });
  listener.stop(true);
});

describe('pages of a statement', () => {
  const SERIES = 10_000;
  const numbers = (sql: typeof database.sql, count = SERIES) =>
    sql<{ n: number; pid: number }[]>`
      SELECT n, pg_backend_pid() AS pid FROM generate_series(1, ${count}) n`;

  async function countPages(count: number, onPage = async (_: number, __: number) => {}) {
    let rows = 0;
    for await (const page of readPages(numbers(database.sql, count), 1_000)) {
      rows += page.length;
      await onPage(rows, page[0]?.pid ?? 0);
    }
    return rows;
  }

  test('are all of them', async () => {
    for (const count of [0, 1, 999, 1_000, 1_001, SERIES]) {
      expect(await countPages(count)).toBe(count);
      expect(await countPages(count, () => pause(1, 'work on a page'))).toBe(count);
    }
  });

  test('whose connection closes while one is worked on are an error', async () => {
    const read = countPages(SERIES, async (rows, pid) => {
      if (rows !== 3_000) return;
      await database.sql`SELECT pg_terminate_backend(${pid}, 5000)`;
      await pause(50, 'the driver sees that it is closed');
    });
    expect(isDatabaseUnavailable(await read.catch((thrown: unknown) => thrown))).toBe(true);
    expect(await countPages(SERIES)).toBe(SERIES);
  });

  test('that fail late, or that nobody reads on, leave the pool as it was', async () => {
    const failing = database.sql<object[]>`SELECT 1 / (5000 - n) FROM generate_series(1, 9000) n`;
    const reading = Array.fromAsync(readPages(failing, 1_000));
    await expect(reading).rejects.toThrow('division by zero');
    for (let round = 0; round < 8; round += 1) {
      for await (const _ of readPages(numbers(database.sql), round % 2 ? 1_000 : 2 * SERIES)) break;
    }
    expect(await countPages(SERIES)).toBe(SERIES);
  });
});
