import { mkdirSync } from 'node:fs';
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';

const CHUNK_ROWS = 2_048;

export type EngineOptions = { memoryMb: number; threads: number; tempDir: string };

/** A DuckDB of its own for writing files; never in the process that takes events (design §1). */
export async function openEngine(options: EngineOptions): Promise<DuckDBConnection> {
  mkdirSync(options.tempDir, { recursive: true, mode: 0o700 });
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb}MB`,
    threads: String(options.threads),
    temp_directory: options.tempDir,
  });
  const connection = await instance.connect();
  // Among the options above it is taken and then not kept to (DuckDB 1.5.6).
  await connection.run("SET max_temp_directory_size = '20GB'");
  await connection.run("SET timezone = 'UTC'");
  return connection;
}

type AppendColumn<T> = { type: DuckDBType; of: (item: T) => DuckDBValue };

/** Appends to a table that has exactly these columns, in their order. */
export async function appendItems<T>(
  connection: DuckDBConnection,
  table: string,
  columns: readonly AppendColumn<T>[],
  items: readonly T[],
): Promise<void> {
  const appender = await connection.createAppender(table);
  const types = columns.map(({ type }) => type);
  for (let offset = 0; offset < items.length; offset += CHUNK_ROWS) {
    const part = items.slice(offset, offset + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    for (const [index, { of }] of columns.entries()) chunk.setColumnValues(index, part.map(of));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** Appends to a table of as many VARCHAR columns as each row has texts. */
export function appendTexts(
  connection: DuckDBConnection,
  table: string,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, index) => ({
    type: VARCHAR,
    of: (row: readonly string[]) => row[index] ?? null,
  }));
  return rows.length === 0 ? Promise.resolve() : appendItems(connection, table, columns, rows);
}
