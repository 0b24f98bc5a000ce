import type { DuckDBConnection } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import {
  builtBytes,
  type FileRows,
  PROJECTED_COLUMNS,
  type Projection,
  readBuilt,
  readFileRows,
} from '../../../event-store/read.ts';
import { at, must } from '../../../shared/assert.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { fileEvents } from '../duckdb/relation.ts';
import { type EventFile, type EventSource, selectEvents } from '../source/events.ts';

export type SmallFile = {
  rows: FileRows;
  projection: Projection;
  asked: readonly string[];
};

type Wanted = { asked: readonly string[]; suffices: (projection: Projection) => boolean };

const ANYTHING: Wanted = { asked: [], suffices: () => true };
/** Columns of one file; more take turns. */
const MAX_ASKED = 16;

/** From larger files DuckDB reads only the columns needed. */
const MAX_ROWS = 65_536;
export const MAX_READ_ROWS = 200_000;
const MAX_READ_FILES = 200;
/** Held while files are read; DuckDB answers for files with longer props. */
const MAX_PROPS_CHARACTERS = 64 * 1024 * 1024;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_MS = 10 * MINUTE_MS;

/**
 * Files never change; DuckDB takes far longer to read a small one than counting does. Null of what
 * cannot be projected.
 */
const kept = new LRUCache<string, { file: SmallFile | null }>({
  maxSize: MAX_KEPT_BYTES,
  ttl: KEPT_MS,
  ttlAutopurge: true,
});

const fileKey = ({ orgId, appId }: EventSource, { path }: EventFile) => `${orgId} ${appId} ${path}`;

function countBytes(file: SmallFile | null): number {
  const base = 1_024;
  if (file === null) return base;
  const { origin } = file.projection;
  return base + file.rows.bytes + ('bytes' in origin ? builtBytes(origin) : 0);
}

async function readFiles(
  connection: DuckDBConnection,
  source: EventSource,
  files: readonly EventFile[],
  askedOf: (file: EventFile) => readonly string[],
): Promise<(SmallFile | null)[]> {
  if (files.length === 0) return [];
  // Before they are kept.
  await source.uses?.check(files.map(({ path }) => path));
  const parts = files.map((file) => {
    const events = selectEvents({ ...source, files: [file], environment: 'all' }, {});
    const from = must(fileEvents(events, PROJECTED_COLUMNS), 'the rows of a file');
    return { from, rows: file.rows };
  });
  const read = await readFileRows(connection, parts, MAX_PROPS_CHARACTERS);
  if (read === null) return files.map(() => null);
  return read.map(({ rows, props }, index) => {
    const asked = askedOf(at(files, index));
    const built = rows.project(undefined, props, asked);
    return built && { rows, projection: readBuilt(built), asked };
  });
}

export async function smallFiles<F extends EventFile>(
  connection: DuckDBConnection,
  source: EventSource,
  files: readonly F[],
  { asked, suffices }: Wanted = ANYTHING,
): Promise<Map<F, SmallFile>> {
  const found = new Map<F, SmallFile>();
  const unread: F[] = [];
  const holdsAll = (file: SmallFile) =>
    suffices(file.projection) || asked.every((prop) => file.asked.includes(prop));
  const askedOf = (file: EventFile) => {
    const before = kept.get(fileKey(source, file))?.file?.asked ?? [];
    return [...new Set([...asked, ...before])].slice(0, MAX_ASKED);
  };
  let rows = 0;
  for (const file of files) {
    if (file.rows > MAX_ROWS) continue;
    const known = kept.get(fileKey(source, file));
    if (known?.file) found.set(file, known.file);
    const isEnough = known && (known.file === null || holdsAll(known.file));
    if (isEnough || unread.length === MAX_READ_FILES || rows + file.rows > MAX_READ_ROWS) continue;
    rows += file.rows;
    unread.push(file);
  }
  for (const [index, file] of (await readFiles(connection, source, unread, askedOf)).entries()) {
    const of = at(unread, index);
    kept.set(fileKey(source, of), { file }, { size: countBytes(file) });
    if (file) found.set(of, file);
  }
  return found;
}
