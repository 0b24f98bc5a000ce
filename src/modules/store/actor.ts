import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Deps } from '../../deps.ts';
import { SECOND_MS } from '../../shared/time.ts';
import {
  RECONNECTED_SIGNAL,
  type StoreSyncInput,
  SYNC_UPDATE,
  type SyncRequest,
  type SyncResult,
  storeSyncContract,
} from '../../temporal/contracts/store.ts';
import { TASK_QUEUE } from '../../temporal/contracts/workflow.ts';
import { searchAttributes } from '../../temporal/search-attributes.ts';

type Actor = (input: StoreSyncInput) => Promise<void>;

/** The actor answers within 20 s what it has done by then. */
const ANSWER_WITHIN_MS = 30 * SECOND_MS;

const startOptions = (orgId: string) => ({
  taskQueue: TASK_QUEUE,
  workflowId: storeSyncContract.workflowId({ orgId }),
  staticSummary: storeSyncContract.summary({ orgId }),
  typedSearchAttributes: searchAttributes({ orgId }),
});

/** Asks the organization's actor for a sync, starting the actor where it is not running. */
export function askActor(
  { temporal }: Pick<Deps, 'temporal'>,
  orgId: string,
  request: SyncRequest,
): Promise<SyncResult> {
  const startWorkflowOperation = new WithStartWorkflowOperation<Actor>(storeSyncContract.type, {
    ...startOptions(orgId),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [{ orgId }],
  });
  return temporal.call(
    () =>
      temporal.client.workflow.executeUpdateWithStart<Actor, SyncResult, [SyncRequest]>(
        SYNC_UPDATE,
        { startWorkflowOperation, args: [request] },
      ),
    ANSWER_WITHIN_MS,
  );
}

/** Makes the actor collect with the key that was just accepted. */
export async function wakeActor(
  { temporal }: Pick<Deps, 'temporal'>,
  orgId: string,
): Promise<void> {
  await temporal.call(() =>
    temporal.client.workflow.signalWithStart(storeSyncContract.type, {
      ...startOptions(orgId),
      args: [{ orgId }],
      signal: RECONNECTED_SIGNAL,
    }),
  );
}
