import { SECOND_MS } from '../../shared/time.ts';
import type { EventRow } from './columns.ts';
import { type DeviceInApp, idKey, type NewAlias } from './person.ts';

/** What the catalogue knows about rows: identities, aliases, erasures, deleted apps. */
export type Known = {
  /** Stored identities, in hex. */
  keys: ReadonlySet<string>;
  userOf: (appId: string, anonymousId: string) => string | undefined;
  isErased: (appId: string, id: string) => boolean;
  /** When the id was erased, if it was; milliseconds since 1970. */
  erasedAtMs: (appId: string, id: string) => number | undefined;
  isDeleted: (appId: string) => boolean;
};

export type Resolved = {
  rows: EventRow[];
  /** Dropped because they are stored; rows of erased people and deleted apps are in neither list. */
  duplicates: EventRow[];
  /** Aliases that these rows make, in order of receipt. */
  aliases: NewAlias[];
  /** Devices that belonged to a person when that person was erased elsewhere. */
  erasedDevices: DeviceInApp[];
};

function isDropped(row: EventRow, known: Known): boolean {
  if (known.isDeleted(row.appId)) return true;
  if (row.userId !== null) return known.isErased(row.appId, row.userId);
  if (known.isErased(row.appId, row.anonymousId)) return true;
  const user = known.userOf(row.appId, row.anonymousId);
  return user !== undefined && known.isErased(row.appId, user);
}

/** Deduplicates: of rows with one identity the first by receipt stays, unless it is stored. */
function splitDuplicates(rows: readonly EventRow[], stored: ReadonlySet<string>) {
  const seen = new Set<string>();
  const fresh: EventRow[] = [];
  const duplicates: EventRow[] = [];
  for (const row of rows) {
    if (row.key !== null && (stored.has(row.key) || seen.has(row.key))) {
      duplicates.push(row);
      continue;
    }
    if (row.key !== null) seen.add(row.key);
    fresh.push(row);
  }
  return { fresh, duplicates };
}

function newAliases(rows: readonly EventRow[], known: Known): Map<string, NewAlias> {
  const aliases = new Map<string, NewAlias>();
  for (const { orgId, appId, anonymousId, userId, receivedAtUs } of rows) {
    if (userId === null || known.isErased(appId, anonymousId)) continue;
    const key = idKey(appId, anonymousId);
    if (aliases.has(key) || known.userOf(appId, anonymousId) !== undefined) continue;
    aliases.set(key, { orgId, appId, anonymousId, userId, mappedAtMs: receivedAtUs / 1_000 });
  }
  return aliases;
}

/** Clocks of hosts differ; a person who comes back this soon has a new past. */
const ERASURE_SLACK_MS = 5 * SECOND_MS;

/**
 * Anonymous ids that were used by an erased user before the erasure, on a host whose log nobody had
 * compacted then: they would have been erased with the user.
 */
function erasedDevices(rows: readonly EventRow[], known: Known): Map<string, DeviceInApp> {
  const devices = new Map<string, DeviceInApp>();
  for (const { orgId, appId, anonymousId, userId, receivedAtUs } of rows) {
    const erasedAtMs = userId === null ? undefined : known.erasedAtMs(appId, userId);
    if (erasedAtMs === undefined || known.isErased(appId, anonymousId)) continue;
    const isBefore = receivedAtUs / 1_000 <= erasedAtMs + ERASURE_SLACK_MS;
    if (!isBefore || known.userOf(appId, anonymousId) !== undefined) continue;
    devices.set(idKey(appId, anonymousId), { orgId, appId, id: anonymousId });
  }
  return devices;
}

/**
 * Resolves new rows, which come in order of receipt: drops duplicates, erased people and deleted
 * apps, finds new aliases and settles the person of each row. Pure; compaction and queries of the
 * log share it.
 */
export function resolveRows(received: readonly EventRow[], known: Known): Resolved {
  const kept = received.filter((row) => !isDropped(row, known));
  const { fresh, duplicates } = splitDuplicates(kept, known.keys);
  const aliases = newAliases(fresh, known);
  // A key of two texts costs more than all else that is done for a row.
  const newUserOf = ({ appId, anonymousId }: EventRow) =>
    aliases.size === 0 ? undefined : aliases.get(idKey(appId, anonymousId))?.userId;
  const rows = fresh.map((row) => {
    if (row.userId !== null) return row;
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

/** The order in which rows were received. */
export function byReceipt(a: EventRow, b: EventRow): number {
  return a.arrival - b.arrival || a.batchIndex - b.batchIndex;
}
