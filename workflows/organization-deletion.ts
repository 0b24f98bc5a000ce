import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { OrganizationRunInput } from '../src/temporal/contracts/organizations.ts';

/** Retried without end: the deleted organization's data must go. */
const { deleteOrganizationApps, stopOrganizationRuns, removeOrganizationRows } =
  proxyActivities<Activities>({
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '20 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
  });

/** Cached principals may still write for five seconds. */
const LAST_CALLERS_SECONDS = 6;
const LONGEST_WAIT_SECONDS = 300;

/** Apps by their own deletion, then other runs, then rows. */
export async function organizationDeletion(input: OrganizationRunInput): Promise<void> {
  await sleep(`${LAST_CALLERS_SECONDS} seconds`, { summary: 'let the last callers end' });
  for (let waitSeconds = 2; ; waitSeconds = Math.min(waitSeconds * 2, LONGEST_WAIT_SECONDS)) {
    const left = await deleteOrganizationApps.executeWithOptions({ summary: 'delete the apps' }, [
      input,
    ]);
    if (left === 0) break;
    setCurrentDetails(`Waiting for ${left} apps to be deleted`);
    await sleep(`${waitSeconds} seconds`, { summary: 'let the apps be deleted' });
  }
  setCurrentDetails('Removing what is left');
  await stopOrganizationRuns.executeWithOptions({ summary: 'stop other runs' }, [input]);
  await removeOrganizationRows.executeWithOptions({ summary: 'remove rows' }, [input]);
  setCurrentDetails('Everything is removed');
}
