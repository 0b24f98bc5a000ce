import { newId } from '../../shared/ids.ts';
import { type Clock, toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { insertDelivery } from './deliveries-queries.ts';
import type { WebhookEventType } from './events.ts';
import { selectSubscribers } from './queries.ts';

export type Announcement = {
  orgId: string;
  type: WebhookEventType;
  /** JSON under 64 KB, without secrets. */
  data: Record<string, unknown>;
  /** Deduplicates: one delivery per webhook and event. */
  eventId?: string;
  /** People named in the data. */
  personIds?: string[];
};

/**
 * Inserts deliveries in the caller's transaction: pending, or failed for a disabled webhook, to
 * resend later. The reconciler starts them in seconds, `deliverSoon` right after the commit.
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
