import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../shared/time.ts';
import type { LogFacts, Moment } from '../catalogue/moment-queries.ts';
import type { EventRow } from '../event/columns.ts';
import type { Resolved } from '../event/resolve.ts';
import { toChunkKeys } from '../imports/imported-rows.ts';

/** By segment; a segment that grows has another list. */
export type SegmentRows = ReadonlyMap<string, readonly EventRow[]>;

/** All that decides which rows count, beside the rows. */
type Facts = Pick<Moment, 'isDeleted' | 'undoneSeq'> & {
  orgId: string;
  segmentIds: readonly string[];
  undoneAt: readonly Date[];
  logState: string;
};

type Counted = Pick<Resolved, 'aliases' | 'rows'>;
/** Times as microseconds, of the first and of the last. */
type ResolvedRows = Counted & { fromUs: number; toUs: number };

export type LogRows = {
  segments: SegmentRows;
  /** Anonymous ids, each once. */
  devices: readonly string[];
  /** Receipt of rows that may be imported. */
  importedAt: readonly Date[];
  known: LogFacts | null;
  resolved: { facts: Facts; rows: ResolvedRows } | null;
};

const MAX_KEPT_ROWS = 100_000;
const KEPT_MS = MINUTE_MS;

const areSame = (a: SegmentRows, b: SegmentRows): boolean =>
  a.size === b.size && [...a].every(([segmentId, rows]) => b.get(segmentId) === rows);

export function factsOf(
  orgId: string,
  { segments }: LogRows,
  { catalogued, isDeleted, ofLog, undoneAt, undoneSeq }: Moment & { ofLog: LogFacts },
): Facts {
  const segmentIds = [...segments.keys()].filter((segmentId) => !catalogued.has(segmentId));
  return { orgId, segmentIds, isDeleted, undoneAt, undoneSeq, logState: ofLog.state };
}

/** For apps queried several times while their log stands still, as by a page. */
export class KeptLog {
  readonly #kept = new LRUCache<string, LogRows>({
    maxSize: MAX_KEPT_ROWS,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  of(appId: string, segments: SegmentRows): LogRows {
    const known = this.#kept.get(appId);
    if (known && areSame(known.segments, segments)) return known;
    const rows = [...segments.values()].flat();
    const found: LogRows = {
      segments,
      devices: [...new Set(rows.map(({ anonymousId }) => anonymousId))],
      importedAt: toChunkKeys(rows).map(({ receivedAtMs }) => new Date(receivedAtMs)),
      known: null,
      resolved: null,
    };
    // A single app is kept at any size.
    this.#kept.set(appId, found, { size: Math.min(rows.length + 1, MAX_KEPT_ROWS) });
    return found;
  }

  forget(appId: string): void {
    this.#kept.delete(appId);
  }
}

/** As `make` finds, which is asked only where a fact has changed. */
export async function resolvedOnce(
  log: LogRows,
  facts: Facts,
  make: () => Promise<Counted>,
): Promise<ResolvedRows> {
  if (log.resolved && Bun.deepEquals(log.resolved.facts, facts)) return log.resolved.rows;
  const { aliases, rows: counted } = await make();
  let [fromUs, toUs] = [Infinity, -Infinity];
  for (const { occurredAtUs } of counted) {
    fromUs = Math.min(fromUs, occurredAtUs);
    toUs = Math.max(toUs, occurredAtUs);
  }
  const rows = { aliases, rows: counted, fromUs, toUs };
  log.resolved = { facts, rows };
  return rows;
}

/** In [fromUs, beforeUs). */
export function rowsWithin(
  { rows, ...all }: ResolvedRows,
  { fromUs, beforeUs }: { fromUs: number; beforeUs: number },
): EventRow[] {
  if (all.fromUs >= beforeUs || all.toUs < fromUs) return [];
  if (all.fromUs >= fromUs && all.toUs < beforeUs) return rows;
  return rows.filter(({ occurredAtUs }) => occurredAtUs >= fromUs && occurredAtUs < beforeUs);
}
