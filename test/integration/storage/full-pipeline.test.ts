import { expect, test } from 'bun:test';
import { connectTo, testDatabase } from '../../support/postgres.ts';

const database = await testDatabase();
/** What a connection is sent before its first answer. */
const PIPELINE = 100;
const CONNECTIONS = 2;

const ofTransaction = (sql: ReturnType<typeof connectTo>) =>
  sql.begin((tx) => tx<{ inside: boolean }[]>`SELECT now() < clock_timestamp() AS inside`);

test('a transaction that takes the last room of a busy connection is carried out', async () => {
  const sql = connectTo(database.url, { maxConnections: CONNECTIONS, applicationName: 'full' });
  await Promise.all([sql`SELECT pg_sleep(0.1)`, sql`SELECT pg_sleep(0.1)`]);
  const full = PIPELINE * CONNECTIONS;
  for (let before = full - 10; before < full + 10; before += 1) {
    const others = Array.from({ length: before }, (_, n) => sql`SELECT ${n}::int AS n`.execute());
    const answers = Promise.all(others);
    const [begun] = await Promise.all([ofTransaction(sql), answers]);
    expect(begun.length).toBe(1);
  }
  await sql.end();
});

test('statements much larger than a connection takes at once leave transactions whole', async () => {
  const sql = connectTo(database.url, { maxConnections: CONNECTIONS, applicationName: 'full' });
  const large = 'x'.repeat(8 * 1024 * 1024);
  for (let round = 0; round < 3; round += 1) {
    const others = [1, 2, 3, 4].map(() => sql`SELECT length(${large}::text) AS n`.execute());
    const answers = Promise.all(others);
    const begun = await Promise.all([1, 2, 3, 4].map(() => ofTransaction(sql)));
    expect(begun.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    await answers;
  }
  await sql.end();
});
