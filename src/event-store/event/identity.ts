import { namedIds } from '../../shared/identity.ts';
import { isImportedArrival } from '../log/arrival.ts';
import type { EventRow } from './columns.ts';
import type { StoredBatch, StoredEvent } from './stored-batch.ts';

const KEY_HEX_DIGITS = 32;
const hasher = new Bun.CryptoHasher('sha256');

function toKey(text: string): string {
  hasher.update(text);
  return hasher.digest('hex').slice(0, KEY_HEX_DIGITS);
}

function sortedProps(props: StoredEvent['props']): unknown {
  if (props === undefined) return null;
  return Object.entries(props).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Fixed order; absent and empty differ. */
function fingerprint(appId: string, event: StoredEvent, context: unknown): string {
  const { name, ts, anonymousId, userId = null, sessionId = null, props } = event;
  return JSON.stringify([
    appId,
    context,
    name,
    ts,
    anonymousId,
    userId,
    sessionId,
    sortedProps(props),
  ]);
}

/** Fields of identity: what retries repeat, never receipt or corrected time. */
export function eventIdentities(appId: string, batch: StoredBatch): (string | null)[] {
  const { platform, appVersion, osVersion, locale, country } = batch.context ?? {};
  const context = [platform, appVersion, osVersion, locale, country].map((value) => value ?? null);
  const seen = new Map<string, number>();
  return batch.events.map((event) => {
    if (event.id !== undefined) return toKey(JSON.stringify([appId, event.anonymousId, event.id]));
    if (event.ts === undefined) return null;
    const text = fingerprint(appId, event, context);
    const ordinal = seen.get(text) ?? 0;
    seen.set(text, ordinal + 1);
    return toKey(ordinal === 0 ? text : `${text}#${ordinal}`);
  });
}

/** Exports give a server's event a device. */
export function keyWithoutDevice({ arrival, appId, eventId, ...row }: EventRow): string | null {
  if (!isImportedArrival(arrival) || eventId === null || row.userId === null) return null;
  const { anonymousId } = namedIds({ user: row.userId });
  return anonymousId === row.anonymousId
    ? null
    : toKey(JSON.stringify([appId, anonymousId, eventId]));
}

/** For runs without sections: `id` scoped to the app. */
export function formerKey({ appId, eventId, key }: EventRow & { key: string }): string {
  return eventId === null ? key : toKey(JSON.stringify([appId, eventId]));
}
