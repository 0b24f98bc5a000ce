import type { DuckDBConnection } from '@duckdb/node-api';
import { must } from '../../../shared/assert.ts';
import type { Events } from './events.ts';

export type SqlRun = Events & { connection?: DuckDBConnection };

const duck = ({ connection }: SqlRun) => must(connection, 'DuckDB counts where no lake does');

export async function readRows(run: SqlRun, statement: string): Promise<unknown[][]> {
  const { lake } = run.source;
  return lake ? lake.rows(statement) : (await duck(run).run(statement)).getRows();
}

/** Rows for several statements: a table where there can be one. */
export async function keepRows(run: SqlRun, name: string, statement: string): Promise<string> {
  if (run.source.lake) return `(${statement})`;
  await duck(run).run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${statement}`);
  return name;
}
