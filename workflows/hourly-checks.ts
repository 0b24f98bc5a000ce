import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AlertCheckInput } from '../src/temporal/contracts/messages.ts';
import type { WatchCheckInput } from '../src/temporal/contracts/watches.ts';

/** Less than the hour until the next check. */
const { checkAlerts, checkWatches } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  scheduleToCloseTimeout: '50 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes' },
});

export async function alertCheck(input: AlertCheckInput): Promise<void> {
  await checkAlerts.executeWithOptions({ summary: 'look for alerts' }, [input]);
}

export async function watchCheck(input: WatchCheckInput): Promise<void> {
  await checkWatches.executeWithOptions({ summary: 'look at watches' }, [input]);
}
