import type { Deps } from '../../../context.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import {
  reconnectedSignal,
  type SyncRequest,
  type SyncResult,
  storeSyncContract,
  syncUpdate,
} from '../../../temporal/contracts/store.ts';

/** The actor answers within 20 s what it has done by then. */
const ANSWER_WITHIN_MS = 30 * SECOND_MS;

/** Asks the organization's actor for a sync, starting the actor where it is not running. */
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

/** Makes the actor collect with the key that was just accepted. */
export async function wakeActor(
  { temporal }: Pick<Deps, 'temporal'>,
  orgId: string,
): Promise<void> {
  await temporal.signalWithStart(storeSyncContract, { orgId }, reconnectedSignal);
}
