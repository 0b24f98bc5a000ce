import { expect, test } from 'bun:test';
import { markRunsEnsured, selectAppsWithoutRun } from '../../../src/modules/apps/queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { sql } = service.deps;

test('the run of a deletion is marked as ensured, and that of an app deleted meanwhile is not', async () => {
  const { orgId } = await createTestOrg(service);
  const { appId: deleted } = await createTestApp(service, orgId);
  const { appId: meanwhile } = await createTestApp(service, orgId);
  await sql`UPDATE apps SET deleted_at = now(), run_ensured_at = NULL WHERE org_id = ${orgId}`;
  await markRunsEnsured(sql, [
    { orgId, appId: deleted, deleting: true },
    { orgId, appId: meanwhile, deleting: false },
  ]);
  const left = await selectAppsWithoutRun(sql, 10);
  expect(left).toEqual([{ orgId, appId: meanwhile, deleting: true }]);
});
