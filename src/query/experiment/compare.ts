import type { DuckDBConnection } from '@duckdb/node-api';
import { countFunnel } from '../funnel/count.ts';
import type { EventSource } from '../source.ts';
import { loadArms } from './arms.ts';
import type { ExperimentAnswer, ExperimentQuestion } from './model.ts';

/** Counts the funnel of each arm over everything in `source`. */
export async function compareArms(
  connection: DuckDBConnection,
  source: EventSource,
  question: ExperimentQuestion,
  checkTime: () => void,
): Promise<ExperimentAnswer> {
  const { experimentId, exposedFromUs, ...rules } = question;
  const exposures = { experimentId, exposedFromUs };
  const { people, mixed } = await loadArms(connection, source, exposures, rules.startBeforeUs);
  const counted = await countFunnel(
    connection,
    source,
    {
      ...rules,
      breakdown: { kind: 'arm', ...exposures, exposedOnly: true },
      trendFromUs: null,
    },
    checkTime,
  );
  const tallies = new Map(counted.breakdown?.map(({ value, tally }) => [value, tally]));
  return {
    dataThroughMs: counted.dataThroughMs,
    mixedPeople: mixed,
    arms: [...people].map(([armId, count]) => ({
      armId,
      people: count,
      funnel: tallies.get(armId) ?? null,
    })),
  };
}
