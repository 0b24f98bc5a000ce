import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { reconcileForever } from '../../src/app/reconcile.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const { deps } = service;
await startTestWorker(deps, temporal);

/** Generous: the reconciler's rounds are two seconds apart. */
const MADE_UP_WITHIN_MS = 5_000;

test('a run that a killed process has not started is made up for by the reconciler of another', async () => {
  const org = await createTestOrg(service);
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../support/killed-between-child.ts')],
    {
      env: {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: database.url,
        DATA_DIR: service.dataDir,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
        LOG_LEVEL: 'fatal',
        CHILD_ORG: org.orgId,
      },
      stdout: 'ignore',
      stderr: process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore',
    },
  );
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
  const app = async () => {
    const { body } = await service.call('/v1/apps', { headers: org.key });
    expect(body).toHaveLength(1);
    return body[0] as { id: string; status: string };
  };
  const { id, status } = await app();
  expect(status).toBe('provisioning');
  const run = temporal.client.workflow.getHandle(`appProvisioning/${id}`);
  expect(await run.describe().catch(() => null)).toBeNull();

  const stopping = new AbortController();
  const began = new Date();
  const reconciling = reconcileForever(deps, stopping.signal);
  await until('the app is active', async () => (await app()).status === 'active');
  stopping.abort();
  await reconciling;
  const { startTime } = await run.describe();
  expect(startTime.getTime() - began.getTime()).toBeLessThan(MADE_UP_WITHIN_MS);
});
