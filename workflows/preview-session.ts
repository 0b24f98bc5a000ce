import { isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PreviewRunInput } from '../src/temporal/contracts/preview.ts';

/** No retry: people restart a runner. */
const { runPreview } = proxyActivities<Activities>({
  startToCloseTimeout: '250 minutes',
  scheduleToStartTimeout: '1 minute',
  heartbeatTimeout: '20 seconds',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { maximumAttempts: 1 },
});
const { finishPreview } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** One activity for the runner's life; the session is ended in any case. */
export async function previewSession(input: PreviewRunInput): Promise<void> {
  setCurrentDetails('Running');
  try {
    await runPreview.executeWithOptions({ summary: 'run the runner' }, [input]);
  } catch (failure) {
    if (isCancellation(failure)) throw failure;
    setCurrentDetails('Lost');
    await finishPreview.executeWithOptions({ summary: 'note that it was lost' }, [input]);
  }
  setCurrentDetails('Ended');
}
