import { LRUCache } from 'lru-cache';
import {
  buildRows,
  builtBytes,
  PROJECTED_FIELDS,
  type ProjectedRow,
  type Projection,
  readBuilt,
} from '../../../event-store/read.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { type Events, matchingHotRows } from '../source/events.ts';

type LogRows = { rows: readonly ProjectedRow[]; projection: Projection };

/** Texts and numbers of one row, beside its projection. */
const ROW_BYTES = 500;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const KEPT_MS = MINUTE_MS;

/** A page asks several questions about the same rows. */
const kept = new LRUCache<string, LogRows>({
  maxSize: MAX_KEPT_BYTES,
  ttl: KEPT_MS,
  ttlAutopurge: true,
  updateAgeOnGet: true,
});

const isAlike = (a: ProjectedRow, b: ProjectedRow | undefined): boolean =>
  a === b || (b !== undefined && PROJECTED_FIELDS.every((field) => a[field] === b[field]));

const areAlike = (rows: readonly ProjectedRow[], others: readonly ProjectedRow[]): boolean =>
  rows.length === others.length && rows.every((row, index) => isAlike(row, others[index]));

/** `asked`: properties, each a column beside what projections hold; undefined without props. */
export async function projectLog(
  events: Events,
  asked: readonly string[] | undefined,
): Promise<Projection[] | null> {
  const rows = matchingHotRows(events);
  if (rows.length === 0) return [];
  const { source, selection } = events;
  const { names = null, ofClients = false } = selection;
  const key = JSON.stringify([source.orgId, source.appId, names, ofClients, asked]);
  const known = kept.get(key);
  if (known && areAlike(rows, known.rows)) return [known.projection];
  const built = await buildRows(rows, { withProps: asked !== undefined, asked: asked ?? [] });
  if (built === null) return null;
  const projection = readBuilt(built);
  kept.set(key, { rows, projection }, { size: builtBytes(built) + rows.length * ROW_BYTES });
  return [projection];
}
