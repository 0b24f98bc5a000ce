import { type Clock, toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { insertDeliveries } from './deliveries-queries.ts';
import type { WebhookEventType } from './events.ts';
import { selectSubscribers } from './queries.ts';

export type Announcement = {
  orgId: string;
  type: WebhookEventType;
  data: Record<string, unknown>;
  /** One delivery per webhook and event. */
  eventId?: string;
  personIds?: string[];
  /** Names that a purchase is about; null for what is no purchase. */
  names?: readonly string[] | null;
};

/**
 * In the caller's transaction; failed for a disabled webhook. Call `deliverSoon` after the commit.
 */
export async function announce(
  tx: Tx,
  clock: Clock,
  { orgId, type, data, eventId, personIds = [], names = null }: Announcement,
): Promise<void> {
  const createdAt = clock();
  const id = eventId === undefined ? {} : { id: eventId };
  const body = JSON.stringify({ type, ...id, timestamp: toIso(createdAt), data });
  const delivery = { orgId, eventType: type, eventId: eventId ?? null, personIds, body, createdAt };
  const subscribers = await selectSubscribers(tx, orgId, { type, names });
  await insertDeliveries(
    tx,
    subscribers.map((subscriber) => ({ ...delivery, ...subscriber })),
  );
}
