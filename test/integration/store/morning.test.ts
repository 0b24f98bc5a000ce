import { expect, test } from 'bun:test';
import {
  insertCandidate,
  promoteCandidate,
} from '../../../src/modules/sales/collection/connection-queries.ts';
import { sealPrivateKey } from '../../../src/modules/sales/collection/opened-key.ts';
import { addDays, pacificDay } from '../../../src/shared/pacific.ts';
import { storeSyncContract } from '../../../src/temporal/contracts/store.ts';
import { makeKey } from '../../simulators/store/auth.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { NOON, startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const ORGANIZATIONS = isFullRun ? 1_000 : 40;
/** An agency's key collects for several organizations. */
const PER_KEY = 4;
const HISTORY_DAYS = 4;

const database = await testDatabase();
const temporal = await testTemporal();
const { store, deps } = await startStoreSuite(
  database,
  { retentionDays: HISTORY_DAYS, delayMs: 5 },
  { temporal },
);
await startTestWorker(deps, temporal);
const { sql } = database;
const yesterday = addDays(pacificDay(NOON), -1);

async function connectAll(): Promise<string[]> {
  const orgIds = Array.from({ length: ORGANIZATIONS }, (_, index) => `org_${index}`);
  for (const [index, orgId] of orgIds.entries()) {
    const name = `KEY${Math.floor(index / PER_KEY)}`;
    const known = store.account.keys.find(({ keyId }) => keyId === name);
    const key = known ?? makeKey(crypto.randomUUID(), name);
    if (!known) store.account.keys.push(key);
    await insertCandidate(deps.sql, {
      connectionId: `con_${orgId}`,
      orgId,
      issuerId: key.issuerId,
      keyId: key.keyId,
      vendorNumber: store.account.vendorNumber,
      sealedKey: sealPrivateKey(deps, orgId, key.privateKey),
      teamId: null,
      teamType: null,
      createdAt: NOON,
    });
    await promoteCandidate(deps.sql, orgId, `con_${orgId}`, NOON);
  }
  return orgIds;
}

const finished = async (): Promise<number> => {
  const [row] = await sql<{ orgs: number }[]>`
    SELECT count(*) AS orgs FROM store_syncs s WHERE last_run_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM store_days d WHERE d.org_id = s.org_id
        AND d.report_type = 'SALES' AND d.day = ${yesterday} AND d.state = 'reported')`;
  return row?.orgs ?? 0;
};

test(`${ORGANIZATIONS} organizations due at the very same moment: all are served, two at a time a key`, async () => {
  // Worse than a morning, on which they are spread over half an hour.
  store.account.remainingInHour = 1_000_000;
  const orgIds = await connectAll();
  for (const orgId of orgIds) await deps.temporal.ensure(storeSyncContract, { orgId });
  await until('all have yesterday', async () => (await finished()) === ORGANIZATIONS);
  expect(store.mostAtOnce()).toBe(2);
  // The days of the store's history, and as many that it has dropped as fit one batch.
  const requests = [...store.asked.values()].reduce((sum, times) => sum + times, 0);
  expect(requests / ORGANIZATIONS).toBeLessThan(30);
  for (const orgId of orgIds.slice(0, 40)) {
    const handle = temporal.client.workflow.getHandle(storeSyncContract.workflowId({ orgId }));
    expect((await handle.describe()).historyLength).toBeLessThan(100);
  }
});
