import { ActivityFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurchaseActivities } from '../activities/purchases.ts';
import type { RecoveryRunInput } from '../src/temporal/contracts/purchases.ts';

const { planPurchaseRecovery, recoverPurchasePage } = proxyActivities<PurchaseActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '2 seconds', maximumInterval: '2 minutes' },
});

/** 20,000 notifications; what is left is read an hour later, from the same start. */
const MAX_PAGES = 1_000;

async function recover(input: RecoveryRunInput, environment: string): Promise<number> {
  const run = { ...input, environment };
  const plan = { summary: `plan ${environment}` };
  const window = await planPurchaseRecovery.executeWithOptions(plan, [run]);
  let stored = 0;
  let paginationToken: string | null = null;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const summary = `${environment}, page ${page}`;
    const read: Awaited<ReturnType<PurchaseActivities['recoverPurchasePage']>> =
      await recoverPurchasePage.executeWithOptions({ summary }, [
        { ...run, window, paginationToken },
      ]);
    stored += read.stored;
    paginationToken = read.paginationToken;
    if (paginationToken === null) break;
  }
  return stored;
}

/** Reads the notification history of both environments; trouble in one does not stop the other. */
export async function purchaseRecovery(input: RecoveryRunInput): Promise<void> {
  const found: string[] = [];
  for (const environment of ['Production', 'Sandbox']) {
    try {
      const stored = await recover(input, environment);
      found.push(`${environment}: ${stored} recovered`);
    } catch (failure) {
      if (!(failure instanceof ActivityFailure)) throw failure;
      found.push(`${environment}: could not be read`);
    }
    setCurrentDetails(found.join(', '));
  }
}
