import type { OrgContext } from '../../../context.ts';
import { stopSignal, storeSyncContract } from '../../../temporal/contracts/store.ts';
import { deleteConnection } from './connection-queries.ts';
import { announceConnection } from './connection-status.ts';

export async function disconnect({
  deps,
  orgId,
}: OrgContext<'clock' | 'log' | 'sql' | 'temporal'>): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if (!(await deleteConnection(tx, orgId))) return;
    const at = deps.clock();
    await announceConnection(tx, orgId, at, { status: 'disconnected', lastError: null });
  });
  // Best effort: the actor checks for the key before every request.
  await deps.temporal.signal(storeSyncContract, { orgId }, stopSignal).catch((thrown: unknown) => {
    deps.log.debug(
      { err: thrown, orgId },
      'store actor could not be signalled to stop; it ends by itself',
    );
  });
}
