import type { EventRow } from './columns.ts';

/** What the catalogue knows that decides what becomes of new rows. */
export type Known = {
  /** Identities (hex) that are stored already. */
  keys: ReadonlySet<string>;
  userOf: (appId: string, anonymousId: string) => string | undefined;
  isErased: (appId: string, id: string) => boolean;
  isDeleted: (appId: string) => boolean;
};

export type PersonLink = {
  orgId: string;
  appId: string;
  anonymousId: string;
  userId: string;
  mappedAtMs: number;
};

export type Resolved = {
  rows: EventRow[];
  /** Dropped because they are stored already; erased and deleted ones are in neither list. */
  duplicates: EventRow[];
  /** Mappings that these rows make, in order of receipt. */
  links: PersonLink[];
};

const linkKey = (appId: string, anonymousId: string) => `${appId}\u0000${anonymousId}`;

function isForgotten(row: EventRow, known: Known): boolean {
  if (known.isDeleted(row.appId)) return true;
  if (row.userId !== null) return known.isErased(row.appId, row.userId);
  if (known.isErased(row.appId, row.anonymousId)) return true;
  const mapped = known.userOf(row.appId, row.anonymousId);
  return mapped !== undefined && known.isErased(row.appId, mapped);
}

/** Splits off what is stored already, the first by receipt being the one that stays. */
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

function newLinks(rows: readonly EventRow[], known: Known): Map<string, PersonLink> {
  const links = new Map<string, PersonLink>();
  for (const { orgId, appId, anonymousId, userId, receivedAtUs } of rows) {
    if (userId === null || known.isErased(appId, anonymousId)) continue;
    const key = linkKey(appId, anonymousId);
    if (links.has(key) || known.userOf(appId, anonymousId) !== undefined) continue;
    links.set(key, { orgId, appId, anonymousId, userId, mappedAtMs: receivedAtUs / 1_000 });
  }
  return links;
}

/**
 * What becomes of new rows, given in order of receipt: duplicates, erased people and deleted apps
 * are dropped, new mappings are found, and the person of each row is settled. Pure; compaction and
 * the hot path both use it.
 */
export function resolveRows(given: readonly EventRow[], known: Known): Resolved {
  const wanted = given.filter((row) => !isForgotten(row, known));
  const { fresh, duplicates } = splitDuplicates(wanted, known.keys);
  const links = newLinks(fresh, known);
  const rows = fresh.map((row) => {
    if (row.userId !== null) return row;
    const mapped =
      known.userOf(row.appId, row.anonymousId) ??
      links.get(linkKey(row.appId, row.anonymousId))?.userId;
    return mapped === undefined ? row : { ...row, personId: mapped };
  });
  return { rows, duplicates, links: [...links.values()] };
}

/** The order in which rows were received. */
export function byReceipt(a: EventRow, b: EventRow): number {
  return a.arrival - b.arrival || a.batchIndex - b.batchIndex;
}
