import { expect, test } from 'bun:test';
import { isDatabaseAway } from '../../../src/storage/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';

const database = await testDatabase({ maxConnections: 4 });

/** @see https://github.com/porsager/postgres/issues/1208 and patches/postgres@3.4.9.patch */
test('a reserved connection that the server ended fails its queries, not the process', async () => {
  const reserved = await database.sql.reserve();
  const [row] = await reserved<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await database.sql`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
  for (let count = 0; count < 3; count += 1) {
    const thrown = await reserved`SELECT 1`.catch((error: unknown) => error);
    expect(isDatabaseAway(thrown)).toBe(true);
  }
  reserved.release();
  expect(await database.sql`SELECT 1`).toHaveLength(1);
});
