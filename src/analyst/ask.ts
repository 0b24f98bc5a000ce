import {
  type DuckDBConnection,
  type DuckDBResultReader,
  type Json,
  StatementType,
} from '@duckdb/node-api';
import { AppError } from '../shared/errors.ts';

/** Rows of an answer at most; a total over more of them belongs into the question. */
export const MAX_ROWS = 100_000;

export type Answer = {
  columns: string[];
  rows: Json[][];
  /** There was more. */
  isCut: boolean;
};

async function run(connection: DuckDBConnection, text: string): Promise<DuckDBResultReader> {
  const statements = await connection.extractStatements(text);
  if (statements.count !== 1) {
    throw new AppError('invalid_input', 'Ask one question at a time.');
  }
  const statement = await statements.prepare(0);
  // COPY and its like could write over the very files that a view has to be able to read.
  if (statement.statementType !== StatementType.SELECT) {
    throw new AppError('invalid_input', 'Only SELECT can be asked here.', {
      hint: 'WITH … SELECT, FROM … and DESCRIBE count as SELECT.',
    });
  }
  return statement.streamAndReadUntil(MAX_ROWS + 1);
}

/** Runs one SELECT. What DuckDB has against it is an `invalid_input` with its own words. */
export async function askEvents(connection: DuckDBConnection, text: string): Promise<Answer> {
  try {
    const reader = await run(connection, text);
    const rows = reader.getRowsJson();
    return {
      columns: reader.deduplicatedColumnNames(),
      rows: rows.slice(0, MAX_ROWS),
      isCut: rows.length > MAX_ROWS,
    };
  } catch (thrown) {
    if (thrown instanceof AppError || !(thrown instanceof Error)) throw thrown;
    throw new AppError('invalid_input', thrown.message, { cause: thrown });
  }
}
