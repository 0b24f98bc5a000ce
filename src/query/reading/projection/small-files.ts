import type { DuckDBConnection } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import {
  type FileRows,
  PROJECTED_COLUMNS,
  type Projection,
  readFileRows,
  readProjection,
} from '../../../event-store/read.ts';
import { at, must } from '../../../shared/assert.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { fileEvents } from '../duckdb/relation.ts';
import { type EventFile, type EventSource, selectEvents } from '../events.ts';

/** An app's rows of one file in memory, and the projection of all of them. */
export type SmallFile = { rows: FileRows; projection: Projection };

/** Rows of the app in a file that are read whole; of more DuckDB reads only what is asked for. */
const MAX_ROWS = 65_536;
/** Rows of one question that are not in memory yet; of more DuckDB reads only what is asked for. */
const MAX_READ_ROWS = 200_000;
/** Each is opened while DuckDB plans the statement. */
const MAX_READ_FILES = 200;
/** Held while files are read. Of what has longer props no file is kept: DuckDB answers. */
const MAX_PROPS_CHARACTERS = 64 * 1024 * 1024;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_MS = 10 * MINUTE_MS;

/**
 * Files never change, so that what was read of one stays true: reading a small one takes DuckDB far
 * longer than counting it. Null of what cannot be projected.
 */
const kept = new LRUCache<string, { file: SmallFile | null }>({
  maxSize: MAX_KEPT_BYTES,
  ttl: KEPT_MS,
  ttlAutopurge: true,
});

const keyOf = ({ orgId, appId }: EventSource, { path }: EventFile) => `${orgId} ${appId} ${path}`;

function bytesOf(file: SmallFile | null): number {
  // What an entry without any takes.
  const base = 1_024;
  if (file === null) return base;
  const { origin } = file.projection;
  return base + file.rows.bytes + ('bytes' in origin ? origin.bytes.length : 0);
}

/** All rows of the app in files, whatever is asked. */
async function readFiles(
  connection: DuckDBConnection,
  source: EventSource,
  files: readonly EventFile[],
): Promise<(SmallFile | null)[]> {
  if (files.length === 0) return [];
  const froms = files.map((file) =>
    must(
      fileEvents(
        selectEvents({ ...source, files: [file], environment: 'all' }, {}),
        PROJECTED_COLUMNS,
      ),
      'the rows of a file',
    ),
  );
  const read = await readFileRows(connection, froms, MAX_PROPS_CHARACTERS);
  if (read === null) return files.map(() => null);
  return read.map(({ rows, props }) => {
    const bytes = rows.project(undefined, props);
    return bytes && { rows, projection: readProjection(bytes, true) };
  });
}

/**
 * Those of the files that have so few rows of the app that they are kept in memory, read now unless
 * they have been lately.
 */
export async function smallFiles<F extends EventFile>(
  connection: DuckDBConnection,
  source: EventSource,
  files: readonly F[],
): Promise<Map<F, SmallFile>> {
  const found = new Map<F, SmallFile>();
  const unread: F[] = [];
  let rows = 0;
  for (const file of files) {
    if (file.rows > MAX_ROWS) continue;
    const known = kept.get(keyOf(source, file));
    if (known?.file) found.set(file, known.file);
    if (known || unread.length === MAX_READ_FILES || rows + file.rows > MAX_READ_ROWS) continue;
    rows += file.rows;
    unread.push(file);
  }
  for (const [index, file] of (await readFiles(connection, source, unread)).entries()) {
    const of = at(unread, index);
    kept.set(keyOf(source, of), { file }, { size: bytesOf(file) });
    if (file) found.set(of, file);
  }
  return found;
}
