import type { Tx } from '../../../storage/postgres.ts';
import { announce } from '../../webhooks/index.ts';
import type { StoreConnection } from './model.ts';

type Change = {
  orgId: string;
  at: Date;
  status: StoreConnection['status'] | 'disconnected';
  lastError: string | null;
};

/** Announces a change of the store connection to webhooks; the reconciler starts the deliveries. */
export async function announceConnection(
  tx: Tx,
  { orgId, at, status, lastError }: Change,
): Promise<void> {
  const data = { status, lastError };
  await announce(tx, () => at, { orgId, type: 'store.connection_changed', data });
}
