import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/** Ends after some hours: each hour starts another. */
const { refreshExchangeRates } = proxyActivities<Activities>({
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 minute', maximumInterval: '30 minutes', maximumAttempts: 5 },
});

export async function ratesRefresh(): Promise<void> {
  await refreshExchangeRates.executeWithOptions({ summary: 'fetch the reference rates' }, [{}]);
}
