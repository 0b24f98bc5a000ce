import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../storage/postgres.ts';
import type { RunScope, WorkflowContract } from '../../temporal/contracts/workflow.ts';
import { insertOutboxRun, type OutboxRun } from './queries.ts';

/**
 * Writes down, in the caller's transaction, that a workflow must run. Start it with `dispatch`
 * after the commit; when that does not happen the sweeper does it.
 */
export async function enqueue<Input extends Record<string, unknown>>(
  tx: Tx,
  contract: WorkflowContract<string, Input>,
  input: Input,
  scope: RunScope,
): Promise<OutboxRun> {
  const run: OutboxRun = {
    outboxId: newId('out'),
    orgId: scope.orgId,
    appId: scope.appId ?? null,
    workflowType: contract.type,
    workflowId: contract.workflowId(input),
    input,
    summary: contract.summary(input),
  };
  await insertOutboxRun(tx, run);
  return run;
}
