import type { EventRow } from '../../event-store/keep.ts';
import { type Clock, HOUR_MS, toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { countOfEvents, insertDeliveries } from './deliveries-queries.ts';
import { EVENT_RECEIVED, MAX_EVENTS_AN_HOUR, type WebhookEventType } from './events.ts';
import * as queries from './queries.ts';

type Announcement = {
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
  const subscribers = await queries.selectSubscribers(tx, orgId, { type, names });
  await insertDeliveries(
    tx,
    subscribers.map((subscriber) => ({ ...delivery, ...subscriber })),
  );
}

const US_PER_MS = 1_000;

/** The same after a crash. */
const idOf = ({ key, arrival, batchIndex }: EventRow): string =>
  `evt_${key ?? `${arrival}_${batchIndex}`}`;

const isChosen = ({ names, oneIn }: queries.EventSubscriber, row: EventRow): boolean =>
  names.includes(row.name) && Bun.hash.crc32(idOf(row)) % oneIn === 0;

function toData(row: EventRow) {
  const { appId, environment, name, personId, userId, anonymousId, sessionId } = row;
  const { platform, appVersion, osVersion, locale, country, props } = row;
  return {
    appId,
    environment,
    name,
    personId,
    userId,
    anonymousId,
    sessionId,
    occurredAt: toIso(new Date(row.occurredAtUs / US_PER_MS)),
    receivedAt: toIso(new Date(row.receivedAtUs / US_PER_MS)),
    platform,
    appVersion,
    osVersion,
    locale,
    country,
    props: props === null ? {} : JSON.parse(props),
  };
}

function toDelivery({ webhookId, isDisabled }: queries.EventSubscriber, row: EventRow, at: Date) {
  const eventId = idOf(row);
  return {
    orgId: row.orgId,
    webhookId,
    isDisabled,
    eventType: EVENT_RECEIVED,
    eventId,
    personIds: [...new Set([row.personId, row.anonymousId])],
    body: JSON.stringify({
      type: EVENT_RECEIVED,
      id: eventId,
      timestamp: toIso(at),
      data: toData(row),
    }),
    createdAt: at,
  };
}

/** In the transaction that makes events count. The worker sends what has no run. */
export async function announceEvents(
  tx: Tx,
  clock: Clock,
  rows: readonly EventRow[],
): Promise<void> {
  const at = clock();
  const byOrg = Map.groupBy(rows, ({ orgId }) => orgId);
  for (const subscriber of await queries.selectEventSubscribers(tx, [...byOrg.keys()])) {
    const { orgId, webhookId } = subscriber;
    const chosen = (byOrg.get(orgId) ?? []).filter((row) => isChosen(subscriber, row));
    if (chosen.length === 0) continue;
    const since = new Date(at.getTime() - HOUR_MS);
    const room = MAX_EVENTS_AN_HOUR - (await countOfEvents(tx, subscriber, since));
    const told = chosen.slice(0, Math.max(0, room));
    if (told.length < chosen.length) await queries.noteLeftOut(tx, orgId, webhookId, at);
    await insertDeliveries(
      tx,
      told.map((row) => toDelivery(subscriber, row, at)),
    );
  }
}
