import { describe, expect, test } from 'bun:test';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectTo, testDatabase } from '../../support/postgres.ts';

const database = await testDatabase();
const ROW_BYTES = 1_000;

/** A connection of its own: whatever is left behind in it meets the next query. */
const connect = () => connectTo(database.url, { maxConnections: 1, applicationName: 'test' });
const copyOf = (rows: number) =>
  `COPY (SELECT n, repeat('x', ${ROW_BYTES}) FROM generate_series(1, ${rows}) AS n) TO STDOUT`;

/** Takes a chunk a turn, so that the rows pile up before it. */
function slowCounter() {
  const counter = Object.assign(
    new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        counter.bytes += chunk.length;
        setImmediate(done);
      },
    }),
    { bytes: 0 },
  );
  return counter;
}

describe('a COPY to a reader slower than the database', () => {
  // Around the high-water mark of a stream (64 KiB), and far beyond it.
  test.each([10, 60, 64, 66, 130, 1_000, 12_000])(
    'of %d KB ends, and its connection serves the next query',
    async (rows) => {
      const sql = connect();
      const counter = slowCounter();
      await sql.begin(async (tx) => {
        await pipeline(await tx.unsafe(copyOf(rows)).readable(), counter);
        const [row] = await tx`SELECT 1 AS one`;
        expect(row?.one).toBe(1);
      });
      expect(counter.bytes).toBeGreaterThan(rows * ROW_BYTES);
      await sql.end();
    },
  );

  test('that gives up leaves a connection that serves the next query', async () => {
    const sql = connect();
    await sql.begin(async (tx) => {
      const full = new Writable({ write: (_chunk, _, done) => done(new Error('disk full')) });
      const copying = pipeline(await tx.unsafe(copyOf(12_000)).readable(), full);
      expect(await copying.catch((thrown: Error) => thrown.message)).toBe('disk full');
      const [row] = await tx`SELECT 1 AS one`;
      expect(row?.one).toBe(1);
    });
    await sql.end();
  });

  test('that the server breaks off ends with the error', async () => {
    const sql = connect();
    const broken = sql.begin(async (tx) => {
      const rows = `COPY (SELECT repeat('x', 1000), 1 / (5000 - n) FROM generate_series(1, 9000) n) TO STDOUT`;
      await pipeline(await tx.unsafe(rows).readable(), slowCounter());
    });
    expect(await broken.catch((thrown: Error) => thrown.message)).toContain('division by zero');
    const [row] = await sql`SELECT 1 AS one`;
    expect(row?.one).toBe(1);
    await sql.end();
  });
});
