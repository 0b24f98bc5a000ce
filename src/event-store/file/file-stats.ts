import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { AppScope } from '../../shared/app.ts';
import { Nullable, parser } from '../../shared/schema.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';

const Count = Type.Integer({ minimum: 0 });

const ColumnStats = Type.Object({
  /** Compressed. */
  bytes: Count,
  /** Nulls included. */
  values: Count,
  nulls: Count,
  min: Type.Optional(Type.String()),
  max: Type.Optional(Type.String()),
});
export type ColumnStats = Static<typeof ColumnStats>;

/** By column name. */
export const FileStats = Type.Record(Type.String(), ColumnStats);
export type FileStats = Static<typeof FileStats>;

const fileStats = parser(FileStats, 'statistics of an event file');

/** Null in files of earlier releases. */
export function parseFileStats(text: string | null): FileStats | null {
  return text === null ? null : fileStats.parse(JSON.parse(text));
}

/** True without statistics (earlier releases). */
export function holdsOnly(stats: FileStats | null, scope: Partial<AppScope>): boolean {
  if (stats === null) return true;
  const isOnly = (column: ColumnStats | undefined, id: string | undefined) =>
    id === undefined || (column?.min === id && column.max === id && column.nulls === 0);
  return isOnly(stats.org_id, scope.orgId) && isOnly(stats.app_id, scope.appId);
}

/** Other bounds would only copy personal data. */
const BOUNDED: ReadonlySet<string> = new Set([
  'org_id',
  'app_id',
  'name',
  'occurred_at',
  'received_at',
  'person_id',
]);

const Pair = <T extends TSchema>(value: T) => Type.Object({ key: Type.String(), value });

/** `COPY … (RETURN_STATS)` as DuckDB's JSON; names are quoted. */
const returned = parser(
  Type.Tuple([
    Type.Object({
      count: Type.String(),
      file_size_bytes: Type.String(),
      column_statistics: Type.Array(Pair(Type.Array(Pair(Type.String())))),
    }),
  ]),
  'statistics of a written file',
);

const footer = parser(
  Type.Array(
    Type.Object({
      name: Type.String(),
      bytes: Type.String(),
      values: Type.String(),
      nulls: Type.String(),
      min: Nullable(Type.String()),
      max: Nullable(Type.String()),
    }),
  ),
  'footer of an event file',
);

type Counts = { bytes: string; values: string; nulls: string };

function toStats(name: string, counts: Counts, min?: string | null, max?: string | null) {
  const isBounded = BOUNDED.has(name) && typeof min === 'string' && typeof max === 'string';
  return {
    bytes: Number(counts.bytes),
    values: Number(counts.values),
    nulls: Number(counts.nulls),
    ...(isBounded && { min, max }),
  };
}

export function writtenStats(rows: unknown): { rows: number; bytes: number; stats: FileStats } {
  const [file] = returned.parse(rows);
  const entries = file.column_statistics.map(({ key, value }): [string, ColumnStats] => {
    const name = key.slice(1, -1);
    const of = new Map(value.map((pair) => [pair.key, pair.value]));
    const counts = {
      bytes: of.get('column_size_bytes') ?? '0',
      values: of.get('num_values') ?? '0',
      nulls: of.get('null_count') ?? '0',
    };
    return [name, toStats(name, counts, of.get('min'), of.get('max'))];
  });
  const stats = fileStats.parse(Object.fromEntries(entries));
  return { rows: Number(file.count), bytes: Number(file.file_size_bytes), stats };
}

export function footerStats(rows: unknown): FileStats {
  const entries = footer
    .parse(rows)
    .map(({ name, min, max, ...counts }) => [name, toStats(name, counts, min, max)]);
  return fileStats.parse(Object.fromEntries(entries));
}

export function footerSql(path: string): string {
  return `
    SELECT path_in_schema AS name, sum(total_compressed_size)::VARCHAR AS bytes,
      sum(num_values)::VARCHAR AS "values",
      sum(coalesce(stats_null_count, 0))::VARCHAR AS nulls,
      CASE WHEN bool_and(bounded) THEN min(stats_min_value) END AS min,
      CASE WHEN bool_and(bounded) THEN max(stats_max_value) END AS max
    FROM (SELECT *, coalesce(stats_null_count = num_values, false)
        OR (stats_min_value IS NOT NULL AND stats_max_value IS NOT NULL) AS bounded
      FROM parquet_metadata(${textLiteral(path)}))
    GROUP BY path_in_schema ORDER BY path_in_schema`;
}
