import { expect, test } from 'bun:test';
import { ensureMissingRuns, reconcileOnce } from '../../src/app/reconcile.ts';
import { newId } from '../../src/shared/ids.ts';
import { DAY_MS, HOUR_MS } from '../../src/shared/time.ts';
import { fullWorld } from '../support/forged-world.ts';
import { forge } from '../support/forgery/doors.ts';
import { openTemporal } from '../support/forgery/open-temporal.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const { temporal, doors } = await openTemporal();
const service = await startTestService(await testDatabase(), { temporal });
const { deps } = service;
const { sql } = deps;

const LONG_AGO = new Date(Date.now() - 400 * DAY_MS);
const EARLIER = new Date(Date.now() - 3 * HOUR_MS);

/** Rows that ask for a run of every type that rows ask for, all of them ensured before. */
async function rowsInNeed(): Promise<void> {
  const { orgId, appId, deliveryId } = await fullWorld(service);
  const made = await createTestApp(service, orgId);
  await sql`UPDATE apps SET status = 'provisioning' WHERE app_id = ${made.appId}`;
  const gone = await createTestApp(service, orgId);
  await sql`UPDATE apps SET deleted_at = now() WHERE app_id = ${gone.appId}`;
  const left = await createTestOrg(service);
  await sql`
    INSERT INTO organization_deletions (org_id, name, slug, requested_by, requested_at)
    VALUES (${left.orgId}, 'Left', 'left', 'owner', now())`;
  await sql`UPDATE purchase_notifications SET applied_at = NULL, received_at = ${EARLIER}`;
  await sql`UPDATE purchase_forwards SET created_at = ${EARLIER}`;
  await sql`
    INSERT INTO purchase_imports (import_id, app_id, org_id, total, created_at)
    VALUES (${newId('imp')}, ${appId}, ${orgId}, 1, now())`;
  await sql`UPDATE backend_projects SET app_id = ${appId}, connected_at = now()`;
  await sql`UPDATE app_datasets SET event_retention_days = 365 WHERE app_id = ${appId}`;
  await sql`
    INSERT INTO event_file_apps (app_id, file_id, org_id, first_row, rows, min_occurred_at,
      max_occurred_at)
    SELECT app_id, file_id, org_id, 0, 1, ${LONG_AGO}, ${LONG_AGO} FROM event_files
    WHERE app_id IS NOT NULL
    ON CONFLICT (app_id, file_id) DO UPDATE
    SET min_occurred_at = excluded.min_occurred_at, max_occurred_at = excluded.max_occurred_at`;
  await sql`UPDATE webhook_deliveries SET run_ensured_at = now() WHERE delivery_id = ${deliveryId}`;
  await sql`UPDATE apps SET run_ensured_at = now()`;
  await sql`UPDATE organization_deletions SET run_ensured_at = now()`;
  await sql`UPDATE message_posts SET run_ensured_at = ${EARLIER}`;
}

const ASKED_FOR_BY_ROWS = [
  'appDeletion',
  'appProvisioning',
  'backendProvisioning',
  'eventMaintenance',
  'messagePost',
  'organizationDeletion',
  'purchaseForward',
  'purchaseImport',
  'purchaseNotification',
  'storeSync',
  'webhookDelivery',
];

async function running(): Promise<{ workflowId: string; type: string }[]> {
  const runs: { workflowId: string; type: string }[] = [];
  const query = 'ExecutionStatus = "Running"';
  for await (const { workflowId, type } of temporal.client.workflow.list({ query })) {
    runs.push({ workflowId, type });
  }
  return runs;
}

/** A minute of the reconciler, and posts whose run was ensured hours ago. */
async function reconcile(): Promise<string[]> {
  await sql`UPDATE message_posts SET run_ensured_at = ${EARLIER}`;
  await reconcileOnce(deps);
  await ensureMissingRuns(deps);
  return until('every run that rows ask for is there', async () => {
    const types = new Set((await running()).map(({ type }) => type));
    return ASKED_FOR_BY_ROWS.every((type) => types.has(type)) && [...types].toSorted();
  });
}

test('a run that somebody ends begins again, since its row still asks for it', async () => {
  await rowsInNeed();
  expect(await reconcile()).toEqual(ASKED_FOR_BY_ROWS);
  const runs = await running();
  for (const door of doors) {
    const ends =
      door.name === 'HTTP'
        ? [forge.terminateAll()]
        : runs.map(({ workflowId }) => forge.terminate(workflowId));
    for (const end of ends) expect(await door.send(end)).toBe(true);
    await until('all have ended', async () => (await running()).length === 0);
    await reconcile();
    const again = (await running()).map(({ workflowId }) => workflowId);
    expect(again.toSorted()).toEqual(runs.map(({ workflowId }) => workflowId).toSorted());
  }
});
