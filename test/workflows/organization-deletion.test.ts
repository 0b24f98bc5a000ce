import { describe, expect, test } from 'bun:test';
import { reconcileOnce } from '../../src/app/reconcile.ts';
import { listTables, qualified } from '../../src/storage/dump/tables.ts';
import { organizationDeletionContract } from '../../src/temporal/contracts/organizations.ts';
import { searchAttributes } from '../../src/temporal/gateway.ts';
import { keepHistory } from '../support/history.ts';
import { createTestMember, signInAs } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const database = await testDatabase();
const service = await startTestService(database, { temporal });
const { deps } = service;
const { sql } = deps;
await startTestWorker(deps, temporal);

async function newOrg() {
  const org = await createTestOrg(service);
  const [row] = await sql<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE id = ${org.orgId}`;
  const apps = [await createTestApp(service, org.orgId), await createTestApp(service, org.orgId)];
  const headers = await signInAs(service, org);
  await service.call('/v1/logs', { headers: org.key, body: { message: 'hello' } });
  await service.call('/v1/logs', { headers: org.key });
  return { ...org, slug: row?.slug ?? '', apps, headers };
}

const remove = (headers: { cookie: string }, confirm: string, on = service) =>
  on.call(`/v1/organization?confirm=${confirm}`, { method: 'DELETE', headers });

/** The tables that hold rows of the organization. */
async function tablesOf(orgId: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await listTables(sql)) {
    const column = ['org_id', 'organizationId', 'referenceId'].find((name) =>
      table.columns.includes(name),
    );
    if (!column) continue;
    const rows = await sql.unsafe(
      `SELECT 1 FROM ${qualified(table)} WHERE "${column}" = $1 LIMIT 1`,
      [orgId],
    );
    if (rows.length > 0) found.push(table.name.replace(/^logs_\d+$/, 'logs'));
  }
  return found;
}

/** What is kept: who asked, and that late events of the apps are to be dropped. */
const RECORDS = ['event_deleted_apps', 'organization_deletions'];

const finished = (orgId: string) =>
  until(`${orgId} is deleted`, async () => {
    const [row] = await sql`
      SELECT finished_at, name, slug FROM organization_deletions WHERE org_id = ${orgId}`;
    if (row?.finished_at) expect([row.name, row.slug]).toEqual(['', '']);
    return row?.finished_at;
  });

describe('deleting an organization', () => {
  test('ends it at once and removes what it owned, and nothing of others', async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const before = await tablesOf(other.orgId);
    expect(await tablesOf(org.orgId)).toContain('logs');
    await temporal.client.workflow.start('appProvisioning', {
      taskQueue: 'nobody-listens',
      workflowId: `other-run/${org.orgId}`,
      args: [],
      typedSearchAttributes: searchAttributes({ orgId: org.orgId }),
    });

    const answer = await remove(org.headers, org.slug);
    expect(answer).toMatchObject({ status: 200, body: { deleted: true, id: org.orgId } });
    expect((await service.call('/v1/apps', { headers: org.key })).status).toBe(401);
    const session = await service.call('/v1/auth/get-session', { headers: org.headers });
    expect(session.body).toMatchObject({ user: { id: org.userId }, activeOrganizationId: null });
    expect((await remove(org.headers, org.slug)).body.error.code).toBe('no_active_organization');

    await finished(org.orgId);
    expect(await tablesOf(org.orgId)).toEqual(RECORDS);
    expect(
      await sql`SELECT 1 FROM auth.session WHERE "activeOrganizationId" = ${org.orgId}`,
    ).toHaveLength(0);
    const workflowId = organizationDeletionContract.workflowId(org);
    await until('no run but its own is left', async (saw) => {
      const query = `OrgId = "${org.orgId}"`;
      const runs = await Array.fromAsync(temporal.client.workflow.list({ query }));
      saw(runs.map((run) => run.workflowId));
      return runs.length === 1;
    });
    const own = await temporal.client.workflow.getHandle(workflowId).describe();
    expect(await own.staticSummary()).toBe(`Delete organization ${org.orgId}`);
    expect(await tablesOf(other.orgId)).toEqual(before);
    expect((await service.call('/v1/apps', { headers: other.key })).body).toHaveLength(2);
    await keepHistory(temporal.client, workflowId, 'organization-deletion/removed');
  });

  test('is for its owners, who type its slug', async () => {
    const org = await newOrg();
    const admin = await createTestMember(service, org, 'admin');
    expect((await remove(admin, org.slug)).status).toBe(403);
    const wrong = await remove(org.headers, `${org.slug}x`);
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { code: 'confirmation_mismatch' } },
    });
    const path = '/v1/organization';
    const silent = await service.call(path, { method: 'DELETE', headers: org.headers });
    expect(silent).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect((await service.call('/v1/apps', { headers: org.key })).body).toHaveLength(2);
  });

  test('two at once are one', async () => {
    const org = await newOrg();
    const owner = await createTestMember(service, org, 'owner');
    const answers = await Promise.all([
      remove(org.headers, org.slug),
      remove({ cookie: owner.cookie }, org.slug),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = await sql`SELECT 1 FROM organization_deletions WHERE org_id = ${org.orgId}`;
    expect(rows).toHaveLength(1);
  });

  test('is started by the reconciler when its run was lost', async () => {
    const org = await newOrg();
    const ensure = () => Promise.reject(new Error('held back'));
    const withoutRuns = await startTestService(database, {
      with: (made) => ({ temporal: { ...made.temporal, ensure } }),
    });
    expect((await remove(org.headers, org.slug, withoutRuns)).status).toBe(200);
    await sql`
      UPDATE organization_deletions SET run_ensured_at = now() WHERE org_id = ${org.orgId}`;
    await reconcileOnce(deps);
    await finished(org.orgId);
    expect(await tablesOf(org.orgId)).toEqual(RECORDS);
  });
});
