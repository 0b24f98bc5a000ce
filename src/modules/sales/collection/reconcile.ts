import type { Deps } from '../../../context.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { storeSyncContract } from '../../../temporal/contracts/store.ts';
import { ensureAll } from '../../../temporal/ensure.ts';
import { connectedOrganizations } from './connection-queries.ts';

const RUNNING = `WorkflowType = '${storeSyncContract.type}' AND ExecutionStatus = 'Running'`;
const PAGE_SIZE = 1_000;
const LIST_LIMIT_MS = MINUTE_MS;

async function runningActors(temporal: Deps['temporal']): Promise<Set<string>> {
  return temporal.call(async () => {
    const ids = new Set<string>();
    const options = { query: RUNNING, pageSize: PAGE_SIZE };
    for await (const { workflowId } of temporal.client.workflow.list(options)) ids.add(workflowId);
    return ids;
  }, LIST_LIMIT_MS);
}

/** Starts missing actors, as after a loss of Temporal's state. */
export async function reconcileStore({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  const orgIds = await connectedOrganizations(sql);
  if (orgIds.length === 0) return;
  const running = await runningActors(temporal);
  const missing = orgIds.filter((orgId) => !running.has(storeSyncContract.workflowId({ orgId })));
  await ensureAll(missing, (orgId) => temporal.ensure(storeSyncContract, { orgId }));
}
