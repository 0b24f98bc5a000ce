import type { Tx } from '../../storage/postgres.ts';
import { announce } from '../webhooks/announce.ts';

type Change = {
  orgId: string;
  at: Date;
  status: 'connected' | 'invalid' | 'disconnected';
  lastError: string | null;
};

/** Tells webhooks that the store connection changed; the outbox's sweeper starts the deliveries. */
export async function announceConnection(
  tx: Tx,
  { orgId, at, status, lastError }: Change,
): Promise<void> {
  const data = { status, lastError };
  await announce(tx, () => at, { orgId, type: 'store.connection_changed', data });
}
