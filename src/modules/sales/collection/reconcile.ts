import type { Deps } from '../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { reconnectedSignal, storeSyncContract } from '../../../temporal/contracts/store.ts';
import { ensureAll } from '../../../temporal/ensure.ts';
import { deleteOldDeliveries, selectUnreadHints } from './hints-queries.ts';
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

const DELIVERIES_KEPT_MS = 30 * DAY_MS;

/** Only recent hints: a refused key would be asked for ever. */
async function wakeHinted({ clock, sql, temporal }: Pick<Deps, 'clock' | 'sql' | 'temporal'>) {
  const nowMs = clock().getTime();
  await deleteOldDeliveries(sql, new Date(nowMs - DELIVERIES_KEPT_MS));
  const from = new Date(nowMs - 10 * MINUTE_MS);
  const hinted = await selectUnreadHints(sql, { from, to: new Date(nowMs - MINUTE_MS) });
  await ensureAll(hinted, (orgId) =>
    temporal.signalWithStart(storeSyncContract, { orgId }, reconnectedSignal),
  );
}

/** Starts missing actors, as after a loss of Temporal's state. */
export async function reconcileStore(deps: Pick<Deps, 'clock' | 'sql' | 'temporal'>) {
  const { sql, temporal } = deps;
  const orgIds = await connectedOrganizations(sql);
  if (orgIds.length === 0) return;
  const running = await runningActors(temporal);
  const missing = orgIds.filter((orgId) => !running.has(storeSyncContract.workflowId({ orgId })));
  await ensureAll(missing, (orgId) => temporal.ensure(storeSyncContract, { orgId }));
  await wakeHinted(deps);
}
