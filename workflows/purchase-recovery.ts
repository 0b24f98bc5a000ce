import { ActivityFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurchaseActivities } from '../activities/purchases.ts';
import type { RecoveryRunInput } from '../src/temporal/contracts/purchases.ts';

const { planPurchaseRecovery, recoverPurchasePage } = proxyActivities<PurchaseActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '2 seconds', maximumInterval: '2 minutes' },
});

/** 20,000 notifications in one run; an hour later the next one goes on where this one stopped. */
const MAX_PAGES = 1_000;

type Page = Awaited<ReturnType<PurchaseActivities['recoverPurchasePage']>>;
type Plan = Awaited<ReturnType<PurchaseActivities['planPurchaseRecovery']>>;
type Progress = { stored: number; pages: number };

/** Gives false where there is no history at all. */
async function readSlice(
  run: RecoveryRunInput & { environment: string },
  window: Plan,
  progress: Progress,
): Promise<boolean> {
  let paginationToken: string | null = null;
  while (progress.pages < MAX_PAGES) {
    progress.pages += 1;
    const summary = `${run.environment}, page ${progress.pages}`;
    const page: Page = await recoverPurchasePage.executeWithOptions({ summary }, [
      { ...run, window, paginationToken },
    ]);
    progress.stored += page.stored;
    paginationToken = page.paginationToken;
    if (page.isOver) return false;
    if (paginationToken === null) return true;
  }
  return true;
}

async function recover(input: RecoveryRunInput, environment: string): Promise<number> {
  const run = { ...input, environment };
  const progress: Progress = { stored: 0, pages: 0 };
  while (progress.pages < MAX_PAGES) {
    const plan = { summary: `plan ${environment}` };
    const window = await planPurchaseRecovery.executeWithOptions(plan, [run]);
    const goesOn = await readSlice(run, window, progress);
    // Runs that began before plans had this word read everything at once.
    if (!goesOn || window.isLast !== false) break;
  }
  return progress.stored;
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
