import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PlayReportsInput } from '../src/temporal/contracts/store.ts';

/** It keeps Google's refusals in rows, and fails of our own faults only. */
const { readPlayReports } = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '5 seconds', maximumInterval: '10 minutes' },
});

/** Continues as new past this, for short histories. */
const STEPS_PER_RUN = 200;

export async function googlePlayReports(input: PlayReportsInput): Promise<void> {
  const { orgId } = input;
  let { read = 0, isListed = false } = input;
  for (let step = 0; step < STEPS_PER_RUN; step += 1) {
    const summary = isListed ? `read on after ${read} reports` : 'list the reports';
    const round = await readPlayReports.executeWithOptions({ summary }, [{ orgId, isListed }]);
    isListed = true;
    read += round.files;
    setCurrentDetails(`${read} reports of Google Play read`);
    if (!round.goesOn) return;
  }
  await continueAsNew<typeof googlePlayReports>({ orgId, isListed, read });
}
