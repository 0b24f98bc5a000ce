import { expect, test } from 'bun:test';
import { auditChapter } from '../../../src/modules/audit/index.ts';
import { must } from '../../../src/shared/assert.ts';
import { textList } from '../../../src/storage/duckdb-literal.ts';
import { erasePlaces } from '../../../src/storage/stored-rows.ts';
import { openEventStore } from '../../support/event-store.ts';
import { lakeOf } from '../../support/lake/lake.ts';
import { currentFiles, readTable } from '../../support/lake/read-table.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);
const lake = lakeOf(sql, store);
const APP = { orgId: 'org_1', appId: 'app_1' };

async function put(id: string, at: string, person: string | null): Promise<void> {
  const changes = [{ of: 'purchase_grants', id: null, before: null, after: { user_id: person } }];
  await sql`
    INSERT INTO audit_entries (entry_id, org_id, app_id, at, actor_kind, actor_id, operation,
      changes, people, address, request_id)
    VALUES (${id}, ${APP.orgId}, ${APP.appId}, ${at}, 'user', 'u1', 'grantEntitlement',
      ${sql.json(changes)}, ${person === null ? [] : [person]}, '192.0.2.7', 'req_1')`;
}
const files = async () => {
  const place = { objects: store.objects, base: `file://${store.dir}/objects` };
  return currentFiles(await readTable(sql, place, 'audit')).map(({ path }) => path);
};
async function rows() {
  const paths = (await files()).map((path) => `${store.dir}/objects/${path}`);
  if (paths.length === 0) return [];
  const asked = await store.connection.runAndReadAll(`
    SELECT entry_id, org_id, operation, changes, (recorded_at AT TIME ZONE 'UTC')::VARCHAR AS at
    FROM read_parquet([${textList(paths)}], union_by_name = true) ORDER BY entry_id`);
  return asked.getRowObjectsJson();
}

test('the audit is in the lake by the month, and goes by what happens to its entries', async () => {
  await put('aud_1', '2026-06-30T23:59:59.999Z', 'ada');
  await put('aud_2', '2026-07-01T00:00:00.000Z', null);
  expect(await lake.publish()).toContain('audit');
  expect(await rows()).toMatchObject([
    { entry_id: 'aud_1', at: '2026-06-30 23:59:59.999', operation: 'grantEntitlement' },
    { entry_id: 'aud_2', at: '2026-07-01 00:00:00', org_id: 'org_1' },
  ]);
  const both = await files();
  expect(both).toHaveLength(2);
  expect(await lake.publish()).not.toContain('audit');

  await put('aud_3', '2026-07-02T00:00:00.000Z', null);
  expect(await lake.publish()).toContain('audit');
  expect((await rows()).map(({ entry_id }) => entry_id)).toEqual(['aud_1', 'aud_2', 'aud_3']);
  expect((await files()).filter((path) => both.includes(path))).toHaveLength(1);

  const places = must(auditChapter.people, 'the audit erases');
  await sql.begin((tx) => erasePlaces(tx, places, APP, { ids: ['ada'], devices: [] }));
  expect(await lake.publish()).toContain('audit');
  const [first] = await rows();
  expect(String(first?.changes)).toContain('erased_');
  expect(JSON.stringify(await rows())).not.toMatch(/\bada\b/);

  await sql.begin(async (tx) => {
    await tx`SELECT set_config('audit.allows', 'retention', true)`;
    await tx`DELETE FROM audit_entries WHERE entry_id = 'aud_1'`;
  });
  expect(await lake.publish()).toContain('audit');
  expect((await rows()).map(({ entry_id }) => entry_id)).toEqual(['aud_2', 'aud_3']);
  expect(await files()).toHaveLength(1);
});
