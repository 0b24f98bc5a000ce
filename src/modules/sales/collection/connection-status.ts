import type { Deps } from '../../../context.ts';
import type { StoreFault } from '../../../providers/store/port.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { announce } from '../../webhooks/index.ts';
import * as queries from './connection-queries.ts';
import type { StoreConnection } from './model.ts';
import { toSyncError } from './sync-error.ts';

/** Webhook rows only; the reconciler starts the deliveries. */
export async function announceConnection(
  tx: Tx,
  orgId: string,
  at: Date,
  data: { status: StoreConnection['status'] | 'disconnected'; lastError: string | null },
): Promise<void> {
  await announce(tx, () => at, { orgId, type: 'store.connection_changed', data });
}

type StatusDeps = Pick<Deps, 'sql' | 'clock'>;

export async function noteSuccess(
  { sql, clock }: StatusDeps,
  key: queries.KeyRecord,
): Promise<void> {
  const at = clock();
  await sql.begin(async (tx) => {
    if (!(await queries.markVerified(tx, key, at))) return;
    await announceConnection(tx, key.orgId, at, { status: 'connected', lastError: null });
  });
}

export async function noteSyncError(
  { sql, clock }: StatusDeps,
  key: queries.KeyRecord,
  trouble: queries.KeyFailure,
): Promise<void> {
  const at = clock();
  await sql.begin(async (tx) => {
    const status = await queries.recordFailure(tx, key, trouble, at);
    const lastError = trouble.message;
    if (status) await announceConnection(tx, key.orgId, at, { status, lastError });
  });
}

/** For faults outside the runs that concern the key. */
export async function noteKeyFault(
  deps: StatusDeps,
  key: queries.KeyRecord,
  fault: StoreFault,
): Promise<void> {
  const trouble = toSyncError(fault);
  if (trouble.keyAccepted !== null) await noteSyncError(deps, key, trouble);
}
