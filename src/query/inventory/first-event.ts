import { onlyRow } from '../../shared/assert.ts';
import type { QueryRun } from '../engine.ts';
import { countedEvents } from '../source.ts';
import type { FirstEventAnswer } from './model.ts';

export async function findFirstEvent({
  connection,
  source,
  selection,
}: QueryRun): Promise<FirstEventAnswer> {
  const events = countedEvents(source, selection, ['occurred_at']);
  const result = await connection.run(`SELECT epoch_us(min(occurred_at)) FROM ${events}`);
  const [first] = onlyRow(await result.getRows());
  return { firstAtUs: first == null ? null : Number(first) };
}
