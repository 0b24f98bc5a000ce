import { mkdirSync } from 'node:fs';
import {
  BIGINT,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  DuckDBUUIDValue,
  type DuckDBValue,
  INTEGER,
  TIMESTAMPTZ,
  UUID,
  VARCHAR,
} from '@duckdb/node-api';
import { EVENT_COLUMNS, type EventColumn, type EventRow } from '../columns.ts';

const CHUNK_ROWS = 2_048;
const TYPES = { VARCHAR, UUID, TIMESTAMPTZ, BIGINT, INTEGER };

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

function toDuckValue(column: EventColumn, row: EventRow): DuckDBValue {
  const value = row[column.field];
  if (value === null) return null;
  switch (column.type) {
    case 'UUID':
      return DuckDBUUIDValue.fromUint128(BigInt(`0x${value}`));
    case 'TIMESTAMPTZ':
      return new DuckDBTimestampTZValue(BigInt(value));
    case 'BIGINT':
      return BigInt(value);
    default:
      return value;
  }
}

/** Appends rows to a table that has exactly these columns, in their order. */
export async function appendRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly EventRow[],
  columns: readonly EventColumn[] = EVENT_COLUMNS,
): Promise<void> {
  const appender = await connection.createAppender(table);
  const types = columns.map((column) => TYPES[column.type]);
  for (let offset = 0; offset < rows.length; offset += CHUNK_ROWS) {
    const part = rows.slice(offset, offset + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    for (const [index, column] of columns.entries()) {
      chunk.setColumnValues(
        index,
        part.map((row) => toDuckValue(column, row)),
      );
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
