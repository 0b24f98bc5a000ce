import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValue,
  ResultReturnType,
} from '@duckdb/node-api';
import { checkRows } from './missing-rows.ts';

export class UnfinishedRead extends Error {
  constructor() {
    super('DuckDB stopped before the last row.');
    this.name = 'UnfinishedRead';
  }
}

/** Without an error, a failed stream only invalidates the return type of its result. */
export async function* readChunks(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  let rows = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    rows += chunk.rowCount;
    yield chunk;
  }
  if (result.returnType === ResultReturnType.INVALID) throw new UnfinishedRead();
  if (result instanceof DuckDBMaterializedResult) checkRows(rows, result.rowCount, 'a result');
}

export async function* streamChunks(
  connection: DuckDBConnection,
  sql: string,
): AsyncGenerator<DuckDBDataChunk> {
  yield* readChunks(await connection.stream(sql));
}

export async function* streamRows(
  connection: DuckDBConnection,
  sql: string,
): AsyncGenerator<Record<string, DuckDBValue>> {
  const result = await connection.stream(sql);
  const names = result.deduplicatedColumnNames();
  for await (const chunk of readChunks(result)) yield* chunk.getRowObjects(names);
}

async function* chunksOrCause(
  statement: DuckDBPreparedStatement,
  result: DuckDBResult,
): AsyncGenerator<DuckDBDataChunk> {
  try {
    yield* readChunks(result);
  } catch (thrown) {
    // Fails with the cause, which a stream does not report.
    if (thrown instanceof UnfinishedRead) await statement.run();
    throw thrown;
  }
}

export async function openStream(statement: DuckDBPreparedStatement) {
  const result = await statement.stream();
  return { result, chunks: chunksOrCause(statement, result) };
}
