import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';

/** The files of one rewrite take the place of others together. */
export const Swap = Type.Object({
  swapId: Type.String(),
  /** From 1. */
  part: Type.Integer({ minimum: 1 }),
  parts: Type.Integer({ minimum: 1 }),
  /** The files whose rows, corrected, are in the parts. */
  replaces: Type.Array(Type.String()),
});
export type Swap = Static<typeof Swap>;

/** What an event file says of itself, so that the catalogue can be made again from files. */
export const FileOrigin = Type.Object({
  fileId: Type.String(),
  /** Null in files of many apps. */
  orgId: Nullable(Type.String()),
  appId: Nullable(Type.String()),
  level: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
  day: Nullable(Type.String()),
  format: Type.Integer(),
  /** Null in files that compaction wrote. */
  swap: Nullable(Swap),
});
export type FileOrigin = Static<typeof FileOrigin>;

/** The key in the metadata of a Parquet file. */
const KEY = 'event_file';

const origins = parser(FileOrigin, 'origin of an event file');
const found = parser(Type.Array(Type.Object({ value: Type.String() })), 'metadata of a file');

/** The value of `KV_METADATA` in DuckDB's `COPY … TO … (FORMAT parquet)`. */
export const originSql = (origin: FileOrigin): string =>
  `{${KEY}: ${textLiteral(JSON.stringify(origin))}}`;

/** A row with the origin of a file on this host, for `parseOrigin`. */
export const readOriginSql = (path: string): string =>
  `SELECT decode(value) AS value FROM parquet_kv_metadata(${textLiteral(path)})
   WHERE decode(key) = '${KEY}'`;

/** Null in files of earlier releases. */
export function parseOrigin(rows: unknown): FileOrigin | null {
  const [row] = found.parse(rows);
  return row === undefined ? null : origins.parse(JSON.parse(row.value));
}
