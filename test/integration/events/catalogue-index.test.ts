import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();

test('the live files of one app are found by an index, in the order they are asked for', async () => {
  const plan = await sql.begin(async (tx) => {
    await tx`SET LOCAL enable_seqscan = off`;
    await tx`SET LOCAL enable_sort = off`;
    return tx<{ 'QUERY PLAN': string }[]>`
      EXPLAIN SELECT * FROM event_files WHERE state = 'live' AND app_id = 'app'
      ORDER BY min_occurred_at`;
  });
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('event_files_app');
  expect(text).not.toContain('Sort');
});
