import { expect, test } from 'bun:test';
import { purchaseRecoveryContract } from '../../src/temporal/contracts/purchases.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const { deps } = await startTestService(await testDatabase(), { temporal });

/** Of Production more pages than one run reads; of Sandbox one. */
const PAGES: Record<string, number> = { Production: 203, Sandbox: 1 };
const asked: { environment: string; token: string | null }[] = [];

await startTestWorker(deps, temporal, {
  planPurchaseRecovery: async () => ({ startMs: 0, endMs: 1, isLast: true }),
  recoverPurchasePage: async ({ environment, paginationToken }) => {
    asked.push({ environment, token: paginationToken });
    const read = Number(paginationToken ?? 0) + 1;
    const isLast = read === PAGES[environment];
    return { stored: 1, paginationToken: isLast ? null : String(read), isOver: false };
  },
});

test('a recovery of a long history goes on in another run where the last one stopped', async () => {
  const scope = { orgId: 'org-long', appId: 'app-long' };
  const handle = await deps.temporal.ensure(purchaseRecoveryContract, scope);
  const first = await handle.describe();
  await handle.result();
  const id = purchaseRecoveryContract.workflowId(scope);
  const last = await temporal.client.workflow.getHandle(id).describe();
  expect(asked).toEqual([
    ...Array.from({ length: 203 }, (_, i) => ({
      environment: 'Production',
      token: i === 0 ? null : String(i),
    })),
    { environment: 'Sandbox', token: null },
  ]);
  expect(last.runId).not.toBe(first.runId);
  await keepHistory(temporal.client, id, 'purchase-recovery/continued', last.runId);
});
