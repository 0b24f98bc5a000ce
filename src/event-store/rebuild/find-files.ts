import type { DuckDBConnection } from '@duckdb/node-api';
import { Type } from '@sinclair/typebox';
import { AppError, errorMessage } from '../../shared/errors.ts';
import { parser } from '../../shared/schema.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { EVENT_FILE_FORMAT, formatOfColumns } from '../event/columns.ts';
import { EVENT_OBJECTS } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { type FileOrigin, parseOrigin, readOriginSql, type Swap } from '../parquet/file-origin.ts';

export type Lineage = { fileId: string; level: number; rows: number; swap: Swap | null };

type Choice<T> = {
  replaced: ReadonlySet<string>;
  candidates: T[];
};

/** A part is catalogued, or all parts exist. */
function finishedSwaps(files: readonly Lineage[], catalogued: ReadonlySet<string>): Set<string> {
  const swapped = files.flatMap(({ fileId, swap }) => (swap === null ? [] : [{ fileId, swap }]));
  // A rewrite only reads catalogued files.
  const wasLive = new Set([...catalogued, ...swapped.flatMap(({ swap }) => swap.replaces)]);
  const groups = Map.groupBy(swapped, ({ swap }) => swap.swapId);
  const finished = [...groups].filter(([, parts]) => {
    const present = new Set(parts.map(({ swap }) => swap.part));
    return (
      parts.some(({ fileId }) => wasLive.has(fileId)) ||
      parts.every(({ swap }) => present.size === swap.parts)
    );
  });
  return new Set(finished.map(([swapId]) => swapId));
}

/** Rewrites first (erased people are gone from them), unfinished ones last. */
export function chooseFiles<T extends Lineage>(
  files: readonly T[],
  catalogued: ReadonlySet<string>,
): Choice<T> {
  const finished = finishedSwaps(files, catalogued);
  const isFinished = ({ swap }: T) => swap === null || finished.has(swap.swapId);
  const replaced = new Set(
    files.filter(isFinished).flatMap(({ swap }) => (swap === null ? [] : swap.replaces)),
  );
  const candidates = files
    .filter(({ fileId }) => !replaced.has(fileId) && !catalogued.has(fileId))
    .toSorted(
      (a, b) =>
        Number(isFinished(b)) - Number(isFinished(a)) ||
        b.level - a.level ||
        b.rows - a.rows ||
        (a.fileId < b.fileId ? 1 : -1),
    );
  return { replaced, candidates };
}

export type FoundFile = Lineage & {
  path: string;
  bytes: number;
  format: number;
  origin: FileOrigin | null;
};

const NAME = new RegExp(String.raw`^${EVENT_OBJECTS}level([012])/[^/]+/(fil_[a-z0-9]+)\.parquet$`);

const schemas = parser(
  Type.Array(Type.Object({ name: Type.String(), rows: Type.String() })),
  'schema of an event file',
);

const footerSql = (path: string) => `
  SELECT name, (SELECT num_rows::VARCHAR FROM parquet_file_metadata(${textLiteral(path)})) AS rows
  FROM parquet_schema(${textLiteral(path)}) WHERE num_children IS NULL`;

async function readFooter(connection: DuckDBConnection, path: string) {
  const schema = await connection.runAndReadAll(footerSql(path));
  const columns = schemas.parse(schema.getRowObjectsJson());
  const metadata = await connection.runAndReadAll(readOriginSql(path));
  const origin = parseOrigin(metadata.getRowObjectsJson());
  const format = origin?.format ?? formatOfColumns(columns.map(({ name }) => name));
  return { rows: Number(columns[0]?.rows), format, origin };
}

/** A bucket exceeds the disk. */
export async function replacedBy(
  { objects, connection }: Pick<Compactor, 'connection' | 'objects'>,
  path: string,
): Promise<readonly string[]> {
  const metadata = await connection.runAndReadAll(readOriginSql(await objects.localPath(path)));
  return parseOrigin(metadata.getRowObjectsJson())?.swap?.replaces ?? [];
}

function unreadable(path: string, thrown: unknown): AppError {
  return new AppError('unavailable', `${path} cannot be read: ${errorMessage(thrown)}`, {
    hint: 'Nothing was changed. Bring it back from the versions of the bucket or from a backup; or move it out of the place, without its events.',
  });
}

export type FoundFiles = {
  paths: ReadonlySet<string>;
  files: FoundFile[];
};

export async function findFiles(
  { objects, connection }: Pick<Compactor, 'connection' | 'objects'>,
  catalogued: ReadonlySet<string>,
  report: (text: string) => void,
): Promise<FoundFiles> {
  const listed = await objects.list(EVENT_OBJECTS);
  const paths = new Set<string>();
  const files: FoundFile[] = [];
  for (const [index, { key, bytes }] of listed.entries()) {
    const [, level, fileId] = NAME.exec(key) ?? [];
    if (level === undefined || fileId === undefined) continue;
    paths.add(key);
    if (catalogued.has(fileId)) continue;
    report(`reading file metadata: ${index + 1} of ${listed.length}`);
    try {
      const footer = await readFooter(connection, await objects.localPath(key));
      if (footer.format > EVENT_FILE_FORMAT) throw new Error('A newer release wrote it.');
      const { origin } = footer;
      const swap = origin?.swap ?? null;
      files.push({ ...footer, fileId, path: key, bytes, level: Number(level), swap });
    } catch (thrown) {
      throw unreadable(key, thrown);
    }
  }
  return { paths, files };
}
