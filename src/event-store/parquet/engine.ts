import { setImmediate } from 'node:timers/promises';
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { openDuck } from '../../storage/duckdb.ts';

const CHUNK_ROWS = 2_048;
const TEMP_LIMIT_MB = 20_000;

export type EngineOptions = { memoryMb: number; threads: number; tempDir: string };

/** Never in the API process. */
export async function openEngine(options: EngineOptions): Promise<DuckDBConnection> {
  const instance = await openDuck({ ...options, tempLimitMb: TEMP_LIMIT_MB });
  const connection = await instance.connect();
  // The limits of maintenance/plan.ts were measured with it.
  await connection.run('SET preserve_insertion_order = true');
  await connection.run("SET timezone = 'UTC'");
  return connection;
}

export type AppendColumn<T> = { type: DuckDBType; of: (item: T) => DuckDBValue };

/** Requires exactly these columns, in order. */
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

    await setImmediate();
  }
  appender.closeSync();
}
