import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AppRunInput } from '../src/temporal/contracts/apps.ts';

/** Retried without end: the hidden app's data must go. */
const { appCleanupSteps, runAppCleanupStep } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export async function appDeletion(input: AppRunInput): Promise<void> {
  const steps = await appCleanupSteps.executeWithOptions({ summary: 'what has to go' }, []);
  for (const [index, step] of steps.entries()) {
    setCurrentDetails(`Step ${index + 1} of ${steps.length}: ${step}`);
    await runAppCleanupStep.executeWithOptions({ summary: step }, [{ ...input, step }]);
  }
  setCurrentDetails('Everything is removed');
}
