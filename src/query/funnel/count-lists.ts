import type { QueryRun } from '../reading/run.ts';
import { countedLists, type Lists, VALUES_TABLE } from './lists.ts';
import type { FunnelAnswer } from './model.ts';
import { toBreakdown, Outcomes } from './outcomes.ts';
import { PathTally } from './path-tally.ts';
import type { FunnelPlan } from './plan.ts';
import { walkPeople } from './walk.ts';

async function readValues({ connection }: QueryRun): Promise<Map<number, string>> {
  const result = await connection.run(`SELECT code, value FROM ${VALUES_TABLE}`);
  const rows = await result.getRows();
  return new Map(rows.map(([code, value]) => [Number(code), String(value)]));
}

export async function countByLists(run: QueryRun, plan: FunnelPlan): Promise<FunnelAnswer> {
  const { dataThroughMs } = run.source;
  const { breakdown, fold, isFiltered } = plan;
  const lists: Lists = countedLists(run, plan);
  for (const table of lists.tables) await run.connection.run(table);
  const values = breakdown && (await readValues(run));
  const paths = new PathTally({ ...plan, dataThroughMs });
  const outcomes = new Outcomes();
  await walkPeople(run, {
    sql: lists.sql,
    fold,
    isFiltered,
    isDetailed: breakdown !== null || isFiltered,
    byArm: breakdown?.kind === 'arm',
    onEntrant: (entrant) => {
      paths.add(entrant);
      const { code, grouped } = entrant;
      if (values) outcomes.add(code, grouped.depth, grouped.reachedUs);
    },
  });
  return {
    dataThroughMs,
    breakdown: values && toBreakdown(outcomes, values, fold.stepCount),
    ...paths.figures(),
  };
}
