import type { Deps } from '../../deps.ts';
import { storeSyncContract } from '../../temporal/contracts/store.ts';
import { connectedOrganizations } from './connected.ts';

const RUNNING = `WorkflowType = '${storeSyncContract.type}' AND ExecutionStatus = 'Running'`;

/**
 * Starts the actor of every connected organization when fewer run than there should be, as after
 * the loss of Temporal's state. One that runs stays as it is.
 */
export async function reconcileStore({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  const orgIds = await connectedOrganizations(sql);
  if (orgIds.length === 0) return;
  const { count } = await temporal.call(() => temporal.client.workflow.count(RUNNING));
  if (count >= orgIds.length) return;
  for (const orgId of orgIds) await temporal.start(storeSyncContract, { orgId }, { orgId });
}
