import type { DuckDBConnection } from '@duckdb/node-api';
import { onlyRow } from '../../shared/assert.ts';
import { filterSql } from '../filters.ts';
import { countedEvents, type EventSource } from '../source.ts';
import type { Needs } from '../tables.ts';
import type { FirstEventAnswer, FirstEventQuestion } from './model.ts';

export function firstEventNeeds({ names, filters }: FirstEventQuestion): Needs {
  const columns = ['name', 'occurred_at', ...filterSql(filters).columns];
  return { columns, ...(names && { names }) };
}

export async function findFirstEvent(
  connection: DuckDBConnection,
  source: EventSource,
  { names, filters, fromUs, beforeUs }: FirstEventQuestion,
): Promise<FirstEventAnswer> {
  const { columns, condition } = filterSql(filters);
  const events = countedEvents(source, {
    columns: [...new Set(['occurred_at', ...columns])],
    ...(names ? { names } : { ofClients: true }),
    ...(condition && { where: condition }),
    fromUs,
    beforeUs,
  });
  const result = await connection.run(`SELECT epoch_us(min(occurred_at)) FROM ${events}`);
  const [first] = onlyRow(await result.getRows());
  return { firstAtUs: first == null ? null : Number(first) };
}
