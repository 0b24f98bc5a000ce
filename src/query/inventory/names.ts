import type { QueryRun } from '../reading/run.ts';
import { tallyEvents } from '../reading/tally.ts';
import { MAX_NAMES, type NamesAnswer } from './model.ts';

export async function listNames(run: QueryRun): Promise<NamesAnswer> {
  const { names } = await tallyEvents(run);
  const byEvents = [...names].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { names: byEvents.slice(0, MAX_NAMES).map(([name]) => name) };
}
