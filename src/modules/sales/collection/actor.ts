import type { Deps, OrgContext, SystemContext } from '../../../context.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import {
  reconnectedSignal,
  type SyncRequest,
  type SyncResult,
  storeSyncContract,
  syncUpdate,
} from '../../../temporal/contracts/store.ts';
import { selectKey } from './connection-queries.ts';
import { notConnected } from './list.ts';

/** The actor itself answers within 20 s. */
const ANSWER_WITHIN_MS = 25 * SECOND_MS;

export function askActor(
  { temporal }: Pick<Deps, 'temporal'>,
  orgId: string,
  request: SyncRequest,
): Promise<SyncResult> {
  return temporal.ask(storeSyncContract, { orgId }, syncUpdate, {
    question: request,
    timeoutMs: ANSWER_WITHIN_MS,
  });
}

export async function startSync(
  { deps }: SystemContext<'temporal'>,
  { orgId }: { orgId: string },
): Promise<void> {
  await deps.temporal.signalWithStart(storeSyncContract, { orgId }, reconnectedSignal);
}

/**
 * With `force` also missing days and the last week. Answers within 20 s while the rest goes on.
 * Throws `store_not_connected`.
 */
export async function syncAnalytics(
  { deps, orgId }: OrgContext<'sql' | 'temporal'>,
  { force = false }: { force?: boolean },
): Promise<SyncResult> {
  if (!(await selectKey(deps.sql, orgId))) throw notConnected();
  const { running: _, ...done } = await askActor(deps, orgId, { force });
  return done;
}
