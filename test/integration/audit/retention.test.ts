import { expect, test } from 'bun:test';
import { auditChapter } from '../../../src/modules/audit/index.ts';
import { must } from '../../../src/shared/assert.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestMember, signInAs } from '../../support/people.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { deps } = service;
const { sql } = deps;
const SETTINGS = '/v1/audit/settings';

async function entryOf(orgId: string | null, age: number): Promise<void> {
  await sql`
    INSERT INTO audit_entries (entry_id, org_id, at, actor_kind, operation, changes, people,
      request_id)
    VALUES (${`aud_${crypto.randomUUID()}`}, ${orgId},
      ${deps.clock()}::timestamptz - make_interval(days => ${age}), 'user', ${`${age} days old`},
      '[]', '{}', 'req')`;
}
async function agesOf(orgId: string | null): Promise<string[]> {
  const rows = await sql<{ operation: string }[]>`
    SELECT operation FROM audit_entries
    WHERE org_id IS NOT DISTINCT FROM ${orgId} AND operation LIKE '%days old' ORDER BY at DESC`;
  return rows.map(({ operation }) => operation);
}
const tidy = must(auditChapter.reconcile, 'the audit forgets');

test('each organization keeps its audit as long as it says, 400 days until then', async () => {
  const [quiet, brief, long] = [
    await createTestOrg(service),
    await createTestOrg(service),
    await createTestOrg(service),
  ];
  const ask = (of: typeof brief, body?: object) =>
    service.call(SETTINGS, { headers: of.key, ...(body && { method: 'PUT', body }) });
  const asOwner = async (of: typeof brief, keptDays: number) =>
    service.call(SETTINGS, {
      ...{ method: 'PUT', body: { keptDays } },
      headers: await signInAs(service, of),
    });
  expect((await ask(quiet)).body).toEqual({ keptDays: 400 });
  const admin = await createTestMember(service, brief, 'admin');
  for (const headers of [brief.key, admin]) {
    const body = { keptDays: 399 };
    const refused = await service.call(SETTINGS, { method: 'PUT', body, headers });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_denied']);
  }
  expect((await asOwner(brief, 30)).body).toEqual({ keptDays: 30 });
  expect((await ask(brief, { keptDays: 31 })).status).toBe(200);
  expect((await ask(brief)).body).toEqual({ keptDays: 31 });
  await ask(long, { keptDays: 3_650 });
  for (const keptDays of [29, 3_651, 30.5, '400', null]) {
    expect((await ask(brief, { keptDays })).status).toBe(400);
  }
  const owners = [quiet.orgId, brief.orgId, long.orgId, null];
  for (const owner of owners) for (const age of [30, 32, 399, 401]) await entryOf(owner, age);
  await tidy(deps);
  const all = ['30 days old', '32 days old', '399 days old', '401 days old'];
  expect(await agesOf(quiet.orgId)).toEqual(all.slice(0, 3));
  expect(await agesOf(brief.orgId)).toEqual(all.slice(0, 1));
  expect(await agesOf(long.orgId)).toEqual(all);
  expect(await agesOf(null)).toEqual(all.slice(0, 3));
  const audit = await service.call('/v1/audit?operation=setAuditSettings', { headers: brief.key });
  expect(audit.body.entries.map(({ changes }: { changes: object[] }) => changes)).toMatchObject([
    [{ of: 'audit_settings', before: { kept_days: 30 }, after: { kept_days: 31 } }],
    [{ of: 'audit_settings', before: null, after: { kept_days: 30 } }],
  ]);
});
