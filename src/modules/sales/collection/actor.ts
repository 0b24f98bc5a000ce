import type { Deps, SystemContext } from '../../../context.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import {
  reconnectedSignal,
  type SyncRequest,
  type SyncResult,
  storeSyncContract,
  syncUpdate,
} from '../../../temporal/contracts/store.ts';

/** The actor itself answers within 20 s. */
const ANSWER_WITHIN_MS = 30 * SECOND_MS;

/** Requests a sync from the organization's actor, started if necessary. */
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

/** Starts the organization's actor, or resumes it, with the key that was accepted. */
export async function startSync(
  { deps }: SystemContext<'temporal'>,
  { orgId }: { orgId: string },
): Promise<void> {
  await deps.temporal.signalWithStart(storeSyncContract, { orgId }, reconnectedSignal);
}
