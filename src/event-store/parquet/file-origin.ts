import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';

export const Swap = Type.Object({
  swapId: Type.String(),
  /** From 1. */
  part: Type.Integer({ minimum: 1 }),
  parts: Type.Integer({ minimum: 1 }),
  /** Contained in the parts, corrected. */
  replaces: Type.Array(Type.String()),
});
export type Swap = Static<typeof Swap>;

/** Parquet metadata to rebuild the catalogue from. */
export const FileOrigin = Type.Object({
  fileId: Type.String(),
  /** Null in shared files. */
  orgId: Nullable(Type.String()),
  appId: Nullable(Type.String()),
  level: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
  day: Nullable(Type.String()),
  format: Type.Integer(),
  /** Null when written by compaction. */
  swap: Nullable(Swap),
});
export type FileOrigin = Static<typeof FileOrigin>;

const KEY = 'event_file';

const origins = parser(FileOrigin, 'origin of an event file');
const metadata = parser(Type.Array(Type.Object({ value: Type.String() })), 'metadata of a file');

/** Value of `KV_METADATA` in DuckDB's `COPY … TO … (FORMAT parquet)`. */
export const originSql = (origin: FileOrigin): string =>
  `{${KEY}: ${textLiteral(JSON.stringify(origin))}}`;

export const readOriginSql = (path: string): string =>
  `SELECT decode(value) AS value FROM parquet_kv_metadata(${textLiteral(path)})
   WHERE decode(key) = '${KEY}'`;

/** Null in files of earlier releases. */
export function parseOrigin(rows: unknown): FileOrigin | null {
  const [row] = metadata.parse(rows);
  return row === undefined ? null : origins.parse(JSON.parse(row.value));
}
