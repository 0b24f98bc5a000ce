import {
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  startChild,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import * as contracts from '../src/temporal/contracts/purchases.ts';

/** Retried until the database takes it: the row must be applied. */
const { applyPurchaseNotification } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute' },
});
const { refreshPurchase } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '5 seconds', maximumInterval: '5 minutes' },
});

const ALREADY_STARTED = 'WorkflowExecutionAlreadyStartedError';

async function startForward(input: contracts.ForwardRunInput): Promise<void> {
  try {
    await startChild(contracts.purchaseForwardContract.type, {
      workflowId: contracts.purchaseForwardContract.workflowId(input),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: contracts.purchaseForwardContract.summary(input),
    });
  } catch (thrown) {
    // The reconciler was faster.
    if (!(thrown instanceof Error) || thrown.name !== ALREADY_STARTED) throw thrown;
  }
}

/** Applies, forwards, and refreshes an unclear chain. */
export async function purchaseNotification(input: contracts.NotificationRunInput): Promise<void> {
  const { forwards, refreshes } = await applyPurchaseNotification(input);
  for (const { orgId, appId } of forwards) await startForward({ ...input, orgId, appId });
  for (const { orgId, appId, originalTransactionId } of refreshes) {
    if (originalTransactionId === null) continue;
    setCurrentDetails('Asking the store what its notification means');
    const { environment } = input;
    await refreshPurchase.executeWithOptions({ summary: 'ask the store' }, [
      { orgId, appId, environment, originalTransactionId },
    ]);
  }
}
