import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventSource } from '../source.ts';
import { tallyEvents } from '../summary/tally.ts';
import { MAX_NAMES, type NamesAnswer, type NamesQuestion } from './model.ts';

/** The names of the events of clients: from the catalogue where a whole file is in the window. */
export async function listNames(
  connection: DuckDBConnection,
  source: EventSource,
  { fromUs, beforeUs }: NamesQuestion,
): Promise<NamesAnswer> {
  const { names } = await tallyEvents(connection, source, { fromUs, beforeUs, ofClients: true });
  const byEvents = [...names].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { names: byEvents.slice(0, MAX_NAMES).map(([name]) => name) };
}
