import { describe, expect, test } from 'bun:test';
import { reconcileOnce } from '../../../src/app/reconcile.ts';
import { deleteConnection } from '../../../src/modules/sales/collection/connection-queries.ts';
import { reconcileStore } from '../../../src/modules/sales/collection/reconcile.ts';
import { storeSyncContract } from '../../../src/temporal/contracts/store.ts';
import { testDatabase } from '../../support/postgres.ts';
import { placeConnection, startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const temporal = await testTemporal();
const suite = await startStoreSuite(database, {}, { temporal });
const ORGS = ['one', 'two', 'three'];

const handle = (orgId: string) => temporal.client.workflow.getHandle(`storeSync/${orgId}`);
async function running(orgId: string): Promise<string | null> {
  const found = await handle(orgId)
    .describe()
    .catch(() => null);
  return found?.status.name === 'RUNNING' ? found.runId : null;
}
const allRunning = () => Promise.all(ORGS.map(running));
/** Temporal lists a run a moment after it has begun or ended. */
const listed = (count: number) =>
  until(`${count} actors are listed`, async () => {
    const query = `WorkflowType = 'storeSync' AND ExecutionStatus = 'Running'`;
    return (await temporal.client.workflow.count(query)).count === count;
  });

describe('actors that are not there', () => {
  test('are started when a process starts, whatever was lost', async () => {
    for (const orgId of ORGS) await placeConnection(suite, orgId);
    expect(await allRunning()).toEqual([null, null, null]);
    await reconcileOnce(suite.deps);
    expect(await allRunning()).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
    await listed(3);
  });

  test('are started while the others go on as they are', async () => {
    const before = await allRunning();
    await handle('two').terminate('as if it had never been');
    await listed(2);
    await reconcileStore(suite.deps);
    const after = await allRunning();
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[1]).not.toBeNull();
    expect(after[1]).not.toBe(before[1]);
    await listed(3);
  });

  test('of an organization without a key are not', async () => {
    await deleteConnection(database.sql, 'three');
    await handle('three').terminate('disconnected');
    await handle('one').terminate('as if it had never been');
    await listed(1);
    await reconcileStore(suite.deps);
    expect(await allRunning()).toEqual([expect.any(String), expect.any(String), null]);
  });

  test('are started though as many run, one of them for an organization without a key', async () => {
    const scope = { orgId: 'three' };
    await suite.deps.temporal.ensure(storeSyncContract, scope);
    await handle('one').terminate('as if it had never been');
    await listed(2);
    await reconcileStore(suite.deps);
    expect(await running('one')).not.toBeNull();
  });
});
