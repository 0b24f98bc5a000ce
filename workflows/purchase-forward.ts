import { ActivityFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ForwardRunInput } from '../src/temporal/contracts/purchases.ts';

/** Three days of attempts, as the store's own. */
const { forwardPurchaseNotification } = proxyActivities<Activities>({
  startToCloseTimeout: '15 seconds',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 3, maximumInterval: '6 hours' },
});
const { giveUpPurchaseForward } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export async function purchaseForward(input: ForwardRunInput): Promise<void> {
  try {
    await forwardPurchaseNotification.executeWithOptions({ summary: 'post to the address' }, [
      input,
    ]);
    setCurrentDetails('Delivered, or switched off meanwhile');
  } catch (failure) {
    if (!(failure instanceof ActivityFailure)) throw failure;
    setCurrentDetails('Given up');
    await giveUpPurchaseForward.executeWithOptions({ summary: 'give up' }, [input]);
  }
}
