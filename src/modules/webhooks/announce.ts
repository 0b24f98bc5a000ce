import { newId } from '../../shared/ids.ts';
import { type Clock, toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { insertDelivery } from './deliveries-queries.ts';
import type { WebhookEventType } from './events.ts';
import { selectSubscribers } from './queries.ts';

export type Announcement = {
  orgId: string;
  type: WebhookEventType;
  /** What the receiver gets as `data`; JSON, well under 64 KB, never a secret. */
  data: Record<string, unknown>;
  /** The event's own id: a webhook gets an event once, however often it is announced. */
  eventId?: string;
  /** People whom the data names. */
  personIds?: string[];
};

/**
 * Inserts a delivery for every subscriber of the event, in the caller's transaction: pending, or
 * failed for one that is switched off, so that it can be sent later. The
 * reconciler starts them within seconds; after the commit `deliverSoon` does it at once.
 */
export async function announce(
  tx: Tx,
  clock: Clock,
  { orgId, type, data, eventId, personIds = [] }: Announcement,
): Promise<void> {
  const createdAt = clock();
  const id = eventId === undefined ? {} : { id: eventId };
  const body = JSON.stringify({ type, ...id, timestamp: toIso(createdAt), data });
  const delivery = { orgId, eventType: type, eventId: eventId ?? null, personIds, body, createdAt };
  for (const { webhookId, isDisabled } of await selectSubscribers(tx, orgId, type)) {
    const deliveryId = newId('dlv');
    const end = isDisabled
      ? { status: 'failed' as const, finishedAt: createdAt }
      : { status: 'pending' as const, finishedAt: null };
    await insertDelivery(tx, { ...delivery, deliveryId, webhookId, ...end });
  }
}
