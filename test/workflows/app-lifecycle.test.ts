import { describe, expect, test } from 'bun:test';
import { ApplicationFailure } from '@temporalio/common';
import { ensureMissingRuns, reconcileOnce } from '../../src/app/reconcile.ts';
import { appDeletionContract, appProvisioningContract } from '../../src/temporal/contracts/apps.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), { temporal });
const { deps } = service;
const org = await createTestOrg(service);

let failFunnelFor: string | null = null;
await startTestWorker(deps, temporal, {
  createAppFunnel: async ({ appId }) => {
    if (appId === failFunnelFor) throw ApplicationFailure.nonRetryable('no funnel today');
    const { createAppFunnel } = await import('../../src/modules/apps/provision.ts');
    await createAppFunnel({ deps, requestId: 'test' }, { orgId: org.orgId, appId });
  },
});

const create = async (slug: string): Promise<string> => {
  const body = { slug, displayName: slug };
  return (await service.call('/v1/apps', { headers: org.key, body })).body.id;
};
const statusOf = async (id: string): Promise<string> =>
  (await service.call(`/v1/apps/${id}`, { headers: org.key })).body.status;
const until_ = (id: string, status: string) =>
  until(`${id} is ${status}`, async () => (await statusOf(id)) === status);
const provisioningOf = (appId: string) =>
  appProvisioningContract.workflowId({ orgId: org.orgId, appId });
const funnelsOf = async (appId: string) =>
  (await deps.sql`SELECT 1 FROM funnels WHERE app_id = ${appId}`).length;

describe('appProvisioning', () => {
  test('makes an app active, with its dataset and one default funnel', async () => {
    const id = await create('wf-active');
    await until_(id, 'active');
    expect(await funnelsOf(id)).toBe(1);
    expect((await deps.sql`SELECT 1 FROM app_datasets WHERE app_id = ${id}`).length).toBe(1);
    await keepHistory(temporal.client, provisioningOf(id), 'app-provisioning/active');
  });

  test('run again it changes nothing', async () => {
    const id = await create('wf-twice');
    await until_(id, 'active');
    const scope = { orgId: org.orgId, appId: id };
    const handle = await deps.temporal.ensure(appProvisioningContract, scope);
    await handle.result();
    expect(await statusOf(id)).toBe('active');
    expect(await funnelsOf(id)).toBe(1);
  });

  test('a failure takes everything back and leaves the app in error', async () => {
    const real = deps.temporal.ensure;
    // Hold the start back until the app that has to fail is known.
    deps.temporal.ensure = () => Promise.reject(new Error('held back'));
    const id = await create('wf-error');
    deps.temporal.ensure = real;
    failFunnelFor = id;
    await deps.sql.unsafe(`
      ALTER TABLE funnels ADD CONSTRAINT no_funnel_today CHECK (app_id <> '${id}') NOT VALID`);
    await ensureMissingRuns(deps);
    await until_(id, 'error');
    failFunnelFor = null;
    await deps.sql`ALTER TABLE funnels DROP CONSTRAINT no_funnel_today`;
    await keepHistory(temporal.client, provisioningOf(id), 'app-provisioning/taken-back');
    expect(await funnelsOf(id)).toBe(0);
    expect((await deps.sql`SELECT 1 FROM app_datasets WHERE app_id = ${id}`).length).toBe(0);
  });

  test('a failure that only the run knows of leaves the app active', async () => {
    const real = deps.temporal.ensure;
    deps.temporal.ensure = () => Promise.reject(new Error('held back'));
    const id = await create('wf-forged');
    deps.temporal.ensure = real;
    failFunnelFor = id;
    await ensureMissingRuns(deps);
    await until_(id, 'active');
    failFunnelFor = null;
    expect(await funnelsOf(id)).toBe(1);
  });

  test('what an operator sees: summary, organization and app', async () => {
    const id = await create('wf-visible');
    await until_(id, 'active');
    const handle = temporal.client.workflow.getHandle(provisioningOf(id));
    const description = await handle.describe();
    const attributes = new Map(
      description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    );
    expect(attributes.get('OrgId')).toBe(org.orgId);
    expect(attributes.get('AppId')).toBe(id);
    expect(await description.staticSummary()).toBe(`Provision ${id} (wf-visible, Test)`);
  });
});

describe('the reconciler', () => {
  test('an app that was created while Temporal was away is provisioned later', async () => {
    const real = deps.temporal.ensure;
    deps.temporal.ensure = () => Promise.reject(new Error('Temporal is away'));
    const id = await create('wf-away');
    await ensureMissingRuns(deps);
    deps.temporal.ensure = real;
    const [row] = await deps.sql`SELECT run_ensured_at FROM apps WHERE app_id = ${id}`;
    expect(row?.run_ensured_at).toBeNull();
    expect(await statusOf(id)).toBe('provisioning');
    await ensureMissingRuns(deps);
    await until_(id, 'active');
  });

  test('a run that Temporal has lost is started again', async () => {
    const real = deps.temporal.ensure;
    deps.temporal.ensure = () => Promise.reject(new Error('Temporal is away'));
    const id = await create('wf-lost');
    deps.temporal.ensure = real;
    await deps.sql`UPDATE apps SET run_ensured_at = now() WHERE app_id = ${id}`;
    await ensureMissingRuns(deps);
    expect(await statusOf(id)).toBe('provisioning');
    await reconcileOnce(deps);
    await until_(id, 'active');
  });
});

describe('appDeletion', () => {
  test('removes the app and what belongs to it', async () => {
    const id = await create('wf-delete');
    await until_(id, 'active');
    await service.call(`/v1/apps/${id}/keys`, { method: 'POST', headers: org.key });
    await service.call(`/v1/apps/${id}`, { method: 'DELETE', headers: org.key });
    const handle = temporal.client.workflow.getHandle(
      appDeletionContract.workflowId({ orgId: org.orgId, appId: id }),
    );
    await until('the deletion has started', () =>
      handle.describe().then(
        () => true,
        () => false,
      ),
    );
    await handle.result();
    await keepHistory(temporal.client, handle.workflowId, 'app-deletion/removed');
    for (const table of ['apps', 'publishable_keys', 'funnels', 'app_datasets']) {
      const rows = await deps.sql`SELECT 1 FROM ${deps.sql(table)} WHERE app_id = ${id}`;
      expect(rows.length).toBe(0);
    }
  });
});
