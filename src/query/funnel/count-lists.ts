import { at } from '../../shared/assert.ts';
import type { QueryRun } from '../reading/run.ts';
import { countedLists, type Lists, VALUES_TABLE } from './lists.ts';
import type { FunnelAnswer, GroupTally } from './model.ts';
import { Outcomes } from './outcomes.ts';
import { PathTally } from './path-tally.ts';
import type { FunnelPlan } from './plan.ts';
import { largest } from './shown-values.ts';
import { walkPeople } from './walk.ts';

async function readValues({ connection }: QueryRun): Promise<Map<number, string>> {
  const result = await connection.run(`SELECT code, value FROM ${VALUES_TABLE}`);
  const rows = await result.getRows();
  return new Map(rows.map(([code, value]) => [Number(code), String(value)]));
}

function breakdownOf(
  outcomes: Outcomes,
  values: ReadonlyMap<number, string>,
  stepCount: number,
): NonNullable<FunnelAnswer['breakdown']> {
  const shown = largest(outcomes.sizes(), values);
  const { chosen, rest } = outcomes.tally(
    shown.map(({ code }) => code),
    stepCount,
  );
  const groups: { value: string | null; tally: GroupTally }[] = chosen.map((tally, index) => ({
    value: at(shown, index).value,
    tally,
  }));
  if (at(rest.people, 0) > 0) groups.push({ value: null, tally: rest });
  return groups;
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
    breakdown: values && breakdownOf(outcomes, values, fold.stepCount),
    ...paths.figures(),
  };
}
