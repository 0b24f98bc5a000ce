import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PlayRunInput } from '../src/temporal/contracts/purchases.ts';

/** They keep Google's refusals in rows, and fail of our own faults only. */
const { askPlayPurchases, readPlayVoids } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '5 seconds', maximumInterval: '10 minutes' },
});

/** Continues as new past this, for short histories. */
const STEPS_PER_RUN = 200;

export async function playPurchases(input: PlayRunInput): Promise<void> {
  const { asked: before = 0, ...app } = input;
  let asked = before;
  if (before === 0) {
    await readPlayVoids.executeWithOptions({ summary: 'read voided purchases' }, [app]);
  }
  for (let step = 0; step < STEPS_PER_RUN; step += 1) {
    const summary = `ask, step ${step + 1}`;
    const answered = await askPlayPurchases.executeWithOptions({ summary }, [app]);
    asked += answered.asked;
    setCurrentDetails(`Google Play asked about ${asked} purchases`);
    if (!answered.goesOn) return;
    await sleep('1 second', { summary: 'leave room for others' });
  }
  await continueAsNew<typeof playPurchases>({ ...app, asked });
}
