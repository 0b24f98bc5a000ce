import { onlyRow } from '../../shared/assert.ts';
import { countedEvents } from '../reading/duckdb/relation.ts';
import type { QueryRun } from '../reading/run.ts';
import type { FirstEventAnswer } from './model.ts';

export async function findFirstEvent(run: QueryRun): Promise<FirstEventAnswer> {
  const events = countedEvents(run, ['occurred_at']);
  const result = await run.connection.run(`SELECT epoch_us(min(occurred_at)) FROM ${events}`);
  const [first] = onlyRow(await result.getRows());
  return { firstAtUs: first == null ? null : Number(first) };
}
