import {
  type DuckDBConnection,
  type Json,
  JsonDuckDBValueConverter,
  StatementType,
} from '@duckdb/node-api';
import { AppError } from '../../shared/errors.ts';
import { openStream } from '../../storage/read-chunks.ts';

export const MAX_ROWS = 100_000;

export type Answer = {
  columns: string[];
  rows: Json[][];
  isCut: boolean;
};

async function run(connection: DuckDBConnection, text: string) {
  const statements = await connection.extractStatements(text);
  if (statements.count !== 1) {
    throw new AppError('invalid_input', 'Ask one question at a time.');
  }
  const statement = await statements.prepare(0);
  // COPY and the like could overwrite the view's own files.
  if (statement.statementType !== StatementType.SELECT) {
    throw new AppError('invalid_input', 'Only SELECT can be asked here.', {
      hint: 'WITH … SELECT, FROM … and DESCRIBE count as SELECT.',
    });
  }
  return openStream(statement);
}

/** DuckDB's errors become `invalid_input` verbatim. */
export async function askEvents(connection: DuckDBConnection, text: string): Promise<Answer> {
  try {
    const { result, chunks } = await run(connection, text);
    const rows: Json[][] = [];
    for await (const chunk of chunks) {
      for (const row of chunk.convertRows(JsonDuckDBValueConverter)) rows.push(row);
      if (rows.length > MAX_ROWS) break;
    }
    return {
      columns: result.deduplicatedColumnNames(),
      rows: rows.slice(0, MAX_ROWS),
      isCut: rows.length > MAX_ROWS,
    };
  } catch (thrown) {
    if (thrown instanceof AppError || !(thrown instanceof Error)) throw thrown;
    throw new AppError('invalid_input', thrown.message, { cause: thrown });
  }
}
