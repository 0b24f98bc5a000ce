import { expect, test } from 'bun:test';
import { isUserOfOther } from '../../../src/event-store/catalogue/sources-queries.ts';
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

test('whether late sign-ups share an id is looked up by id, also before PostgreSQL has statistics', async () => {
  await sql`ALTER TABLE event_people SET (autovacuum_enabled = false)`;
  await sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    SELECT 'app', 'device-' || n, 'user-' || n, 'org', now(), 2 FROM generate_series(1, 100000) n`;
  const scope = { orgId: 'org', appId: 'app' };
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    EXPLAIN SELECT EXISTS (SELECT FROM event_people d
      WHERE d.app_id = 'app' AND d.catalogued_seq > 1
        AND ${isUserOfOther(sql, scope, sql`d.anonymous_id`)})`;
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Scan using event_people_user');
  expect(text).not.toContain('Materialize');
});
