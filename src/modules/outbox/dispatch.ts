import type { Deps } from '../../context.ts';
import { messageOf } from '../../shared/errors.ts';
import type { WorkflowContract } from '../../temporal/contracts/workflow.ts';
import { markFailed, markStarted, type OutboxRun } from './queries.ts';

type DispatchDeps = Pick<Deps, 'sql' | 'temporal' | 'log'>;

function contractOf(run: OutboxRun): WorkflowContract<string, Record<string, unknown>> {
  return {
    type: run.workflowType,
    workflowId: () => run.workflowId,
    summary: () => run.summary,
    scope: () =>
      run.appId === null ? { orgId: run.orgId } : { orgId: run.orgId, appId: run.appId },
  };
}

/** Starts a run of the outbox. Gives false, with the reason kept, when it could not be started. */
export async function dispatch(deps: DispatchDeps, run: OutboxRun): Promise<boolean> {
  try {
    await deps.temporal.ensure(contractOf(run), run.input);
    await markStarted(deps.sql, run.outboxId);
    return true;
  } catch (thrown) {
    deps.log.warn({ err: thrown, workflowId: run.workflowId }, 'A workflow could not be started');
    await markFailed(deps.sql, run.outboxId, messageOf(thrown)).catch(() => undefined);
    return false;
  }
}

/** Starts it without letting the caller wait: the row is committed, the sweeper stands behind it. */
export function dispatchSoon(deps: DispatchDeps, run: OutboxRun): void {
  void dispatch(deps, run);
}
