import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AlertCheckInput } from '../src/temporal/contracts/messages.ts';

/** Less than the hour until the next check. */
const { checkAlerts } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  scheduleToCloseTimeout: '50 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes' },
});

export async function alertCheck(input: AlertCheckInput): Promise<void> {
  await checkAlerts.executeWithOptions({ summary: 'look for alerts' }, [input]);
}
