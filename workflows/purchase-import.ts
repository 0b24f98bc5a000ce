import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ImportRunInput } from '../src/temporal/contracts/purchases.ts';

/** Honours the store's `Retry-After`. */
const { importPurchases } = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '5 seconds', maximumInterval: '10 minutes' },
});

/** Continues as new past this, for short histories. */
const STEPS_PER_RUN = 200;

export async function purchaseImport({ rows: before = 0, ...app }: ImportRunInput): Promise<void> {
  let rows = before;
  for (let step = 0; step < STEPS_PER_RUN; step += 1) {
    const summary = `step ${step + 1}`;
    const imported = await importPurchases.executeWithOptions({ summary }, [app]);
    rows += imported.rows;
    setCurrentDetails(`${rows} rows imported`);
    if (!imported.goesOn) return;
    await sleep('1 second', { summary: 'leave room for others' });
  }
  await continueAsNew<typeof purchaseImport>({ ...app, rows });
}
