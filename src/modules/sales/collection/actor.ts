import type { Deps, OrgContext, SystemContext } from '../../../context.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import {
  reconnectedSignal,
  type SyncRequest,
  type SyncResult,
  storeSyncContract,
  syncUpdate,
} from '../../../temporal/contracts/store.ts';
import { readProgress } from './collect.ts';
import { selectAccount } from './connection-queries.ts';
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
 * `force`: also missing days and the last week. Answers within 20 s. Throws `store_not_connected`.
 */
export async function syncAnalytics(
  { deps, orgId }: OrgContext<'clock' | 'sql' | 'temporal'>,
  { force = false }: { force?: boolean },
): Promise<SyncResult> {
  const account = await selectAccount(deps.sql, orgId);
  if (!account) throw notConnected();
  if (!account.isCollected) {
    const progress = await readProgress(deps, account);
    return { checked: 0, rowsWritten: 0, ...progress, stoppedBecause: null, skipped: true };
  }
  const { running: _, ...done } = await askActor(deps, orgId, { force });
  return done;
}
