import { newId } from '../../shared/ids.ts';
import { type Clock, toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { enqueue, type OutboxRun } from '../outbox/index.ts';
import type { WebhookEventType } from './model.ts';
import { insertDelivery, selectSubscribers } from './queries.ts';

export type Announcement = {
  orgId: string;
  type: WebhookEventType;
  /** What the receiver gets as `data`; JSON, well under 64 KB, never a secret. */
  data: Record<string, unknown>;
};

/**
 * Writes down, in the caller's transaction, that an event goes to whoever subscribed to it.
 * Give what it returns to `dispatchSoon` after the commit.
 */
export async function announce(
  tx: Tx,
  clock: Clock,
  { orgId, type, data }: Announcement,
): Promise<OutboxRun[]> {
  const at = clock();
  const body = JSON.stringify({ type, timestamp: toIso(at), data });
  const runs: OutboxRun[] = [];
  for (const webhookId of await selectSubscribers(tx, orgId, type)) {
    const deliveryId = newId('dlv');
    await insertDelivery(tx, { id: deliveryId, orgId, webhookId, type, body, at });
    runs.push(await enqueue(tx, webhookDeliveryContract, { orgId, deliveryId }, { orgId }));
  }
  return runs;
}
