import type { OrgContext } from '../../../context.ts';
import { stopSignal, storeSyncContract } from '../../../temporal/contracts/store.ts';
import { announceConnection } from './announce-connection.ts';
import { deleteConnection } from './connection-queries.ts';

/**
 * Destroys the key and stops what runs with it. Sales and raw reports stay. Nothing connected is
 * fine too.
 */
export async function disconnect({ deps, orgId }: OrgContext): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if (!(await deleteConnection(tx, orgId))) return;
    const at = deps.clock();
    await announceConnection(tx, { orgId, at, status: 'disconnected', lastError: null });
  });
  // The actor also finds out by itself: it looks for the key before every request.
  await deps.temporal.signal(storeSyncContract, { orgId }, stopSignal).catch((thrown: unknown) => {
    deps.log.debug({ err: thrown, orgId }, 'The store actor could not be told to stop');
  });
}
