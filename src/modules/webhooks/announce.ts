import type { Deps } from '../../context.ts';
import { newId } from '../../shared/ids.ts';
import { type Clock, toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { ensureAll } from '../../temporal/ensure.ts';
import { MAX_WEBHOOKS, type WebhookEventType } from './model.ts';
import { insertDelivery, selectNewDeliveries, selectSubscribers } from './queries.ts';

export type Announcement = {
  orgId: string;
  type: WebhookEventType;
  /** What the receiver gets as `data`; JSON, well under 64 KB, never a secret. */
  data: Record<string, unknown>;
};

/**
 * Inserts a pending delivery for every subscriber of the event, in the caller's transaction. The
 * reconciler starts them within seconds; after the commit `deliverSoon` does it at once.
 */
export async function announce(
  tx: Tx,
  clock: Clock,
  { orgId, type, data }: Announcement,
): Promise<void> {
  const createdAt = clock();
  const body = JSON.stringify({ type, timestamp: toIso(createdAt), data });
  for (const webhookId of await selectSubscribers(tx, orgId, type)) {
    const deliveryId = newId('dlv');
    await insertDelivery(tx, { deliveryId, orgId, webhookId, eventType: type, body, createdAt });
  }
}

/** Starts what was just announced, without letting the caller wait. */
export function deliverSoon(
  { sql, temporal, log }: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  orgId: string,
): void {
  selectNewDeliveries(sql, orgId, MAX_WEBHOOKS)
    .then((deliveries) =>
      ensureAll(deliveries, (delivery) => temporal.ensure(webhookDeliveryContract, delivery)),
    )
    .catch((err: unknown) => {
      log.warn({ err, orgId }, 'deliveries could not be started; the reconciler will retry');
    });
}
