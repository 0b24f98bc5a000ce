import { NOBODY } from '../../shared/identity.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { EventRow } from './columns.ts';
import { keyWithoutDevice } from './identity.ts';
import { type DeviceInApp, idKey, type NewAlias } from './person.ts';

export type KnownFacts = {
  /** Hex. */
  keys: ReadonlySet<string>;
  userOf: (appId: string, anonymousId: string) => string | undefined;
  isErased: (appId: string, id: string, as: 'person' | 'device') => boolean;
  erasedAtMs: (appId: string, id: string, as: 'person' | 'device') => number | undefined;
  isDeleted: (appId: string) => boolean;
  isUndone: (row: EventRow) => boolean;
};

export type Resolved = {
  rows: EventRow[];
  /** Excludes erased people and deleted apps. */
  duplicates: EventRow[];
  aliases: NewAlias[];
  erasedDevices: DeviceInApp[];
};

function isDropped(row: EventRow, known: KnownFacts): boolean {
  if (known.isDeleted(row.appId) || known.isUndone(row)) return true;
  if (row.userId !== null) return known.isErased(row.appId, row.userId, 'person');
  if (row.personId === NOBODY) return false;
  if (known.isErased(row.appId, row.anonymousId, 'device')) return true;
  const user = known.userOf(row.appId, row.anonymousId);
  return user !== undefined && known.isErased(row.appId, user, 'person');
}

function splitDuplicates(rows: readonly EventRow[], stored: ReadonlySet<string>) {
  const seen = new Set<string>();
  const fresh: EventRow[] = [];
  const duplicates: EventRow[] = [];
  for (const row of rows) {
    const isKnown = (key: string | null) => key !== null && (stored.has(key) || seen.has(key));
    if (isKnown(row.key) || isKnown(keyWithoutDevice(row))) {
      duplicates.push(row);
      continue;
    }
    if (row.key !== null) seen.add(row.key);
    fresh.push(row);
  }
  return { fresh, duplicates };
}

function newAliases(rows: readonly EventRow[], known: KnownFacts): Map<string, NewAlias> {
  const aliases = new Map<string, NewAlias>();
  for (const { orgId, appId, anonymousId, userId, receivedAtUs } of rows) {
    if (userId === null || known.isErased(appId, anonymousId, 'device')) continue;
    const key = idKey(appId, anonymousId);
    if (aliases.has(key) || known.userOf(appId, anonymousId) !== undefined) continue;
    aliases.set(key, { orgId, appId, anonymousId, userId, mappedAtMs: receivedAtUs / 1_000 });
  }
  return aliases;
}

/** People returning within it start anew. */
const ERASURE_SLACK_MS = 5 * SECOND_MS;

/** The erasure would have included them. */
function erasedDevices(rows: readonly EventRow[], known: KnownFacts): Map<string, DeviceInApp> {
  const devices = new Map<string, DeviceInApp>();
  for (const { orgId, appId, anonymousId, userId, receivedAtUs } of rows) {
    const erasedAtMs = userId === null ? undefined : known.erasedAtMs(appId, userId, 'person');
    if (erasedAtMs === undefined || known.isErased(appId, anonymousId, 'device')) continue;
    const isBefore = receivedAtUs / 1_000 <= erasedAtMs + ERASURE_SLACK_MS;
    if (!isBefore || known.userOf(appId, anonymousId) !== undefined) continue;
    devices.set(idKey(appId, anonymousId), { orgId, appId, id: anonymousId });
  }
  return devices;
}

/** Pure. */
export function resolveRows(received: readonly EventRow[], known: KnownFacts): Resolved {
  const kept = received.filter((row) => !isDropped(row, known));
  const { fresh, duplicates } = splitDuplicates(kept, known.keys);
  const aliases = newAliases(fresh, known);
  // A combined key costs more than everything else per row.
  const newUserOf = ({ appId, anonymousId }: EventRow) =>
    aliases.size === 0 ? undefined : aliases.get(idKey(appId, anonymousId))?.userId;
  const rows = fresh.map((row) => {
    if (row.userId !== null || row.personId === NOBODY) return row;
    const user = known.userOf(row.appId, row.anonymousId) ?? newUserOf(row);
    return user === undefined ? row : { ...row, personId: user };
  });
  const devices = erasedDevices(received, known);
  return {
    rows,
    duplicates,
    aliases: [...aliases.values()],
    erasedDevices: [...devices.values()],
  };
}

export function byReceipt(a: EventRow, b: EventRow): number {
  return a.arrival - b.arrival || a.batchIndex - b.batchIndex;
}
