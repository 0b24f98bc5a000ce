import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AppRunInput } from '../src/temporal/contracts/apps.ts';

const { isAppWanted, createAppDataset, createAppFunnel, activateApp } = proxyActivities<Activities>(
  {
    startToCloseTimeout: '30 seconds',
    retry: {
      initialInterval: '500 milliseconds',
      maximumInterval: '30 seconds',
      maximumAttempts: 20,
    },
  },
);
/** Compensation outlasts any outage of the database. */
const { undoAppProvisioning } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

export async function appProvisioning(input: AppRunInput): Promise<void> {
  if (!(await isAppWanted.executeWithOptions({ summary: 'still wanted?' }, [input]))) return;
  try {
    setCurrentDetails('Creating the event dataset');
    await createAppDataset.executeWithOptions({ summary: 'create the event dataset' }, [input]);
    setCurrentDetails('Creating the default funnel');
    await createAppFunnel.executeWithOptions({ summary: 'create the default funnel' }, [input]);
    await activateApp.executeWithOptions({ summary: 'make the app active' }, [input]);
    setCurrentDetails('Active');
  } catch (failure) {
    setCurrentDetails('Failed; taking back what was made');
    await undoAppProvisioning.executeWithOptions({ summary: 'take everything back' }, [input]);
    throw failure;
  }
}
