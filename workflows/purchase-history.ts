import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { HistoryRunInput } from '../src/temporal/contracts/purchases.ts';

/** Honours the store's `Retry-After`. */
const { readPurchaseHistories } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '5 seconds', maximumInterval: '10 minutes' },
});

/** The next run does the rest, by rows. */
const MAX_STEPS = 200;

export async function purchaseHistory(input: HistoryRunInput): Promise<void> {
  let pages = 0;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const summary = `step ${step + 1}`;
    const read = await readPurchaseHistories.executeWithOptions({ summary }, [input]);
    pages += read.pages;
    setCurrentDetails(`${pages} pages read`);
    if (!read.goesOn) return;
    await sleep('1 second', { summary: 'leave room for others' });
  }
}
