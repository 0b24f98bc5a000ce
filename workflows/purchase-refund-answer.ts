import { ActivityFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RefundRunInput } from '../src/temporal/contracts/purchases.ts';

/** Google Play waits 24 hours, the App Store twelve; the activity knows when they are over. */
const { answerRefundRequest } = proxyActivities<Activities>({
  startToCloseTimeout: '15 seconds',
  scheduleToCloseTimeout: '25 hours',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '2 minutes' },
});
const { giveUpRefundRequest } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export async function purchaseRefundAnswer(input: RefundRunInput): Promise<void> {
  try {
    await answerRefundRequest.executeWithOptions({ summary: 'answer the store' }, [input]);
    setCurrentDetails('Answered, or not to be answered');
  } catch (failure) {
    if (!(failure instanceof ActivityFailure)) throw failure;
    setCurrentDetails('Given up');
    await giveUpRefundRequest.executeWithOptions({ summary: 'give up' }, [input]);
  }
}
