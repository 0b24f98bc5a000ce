import { at, outside } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import type { QueryRun } from '../reading/run.ts';
import { brokenDown, isAlwaysShown, placeSql, shownBySql } from '../reading/shown-values.ts';
import { type Dimension, dimensionSql } from '../selection/dimension.ts';
import {
  LIFECYCLE_STATES,
  type Lifecycle,
  type LifecycleAnswer,
  type LifecycleQuestion,
  type LifecycleState,
} from './model.ts';
import { stateRowsSql, stateSql } from './states.ts';

async function countStates(
  run: QueryRun,
  question: LifecycleQuestion,
  by?: { place: string; places: number },
): Promise<Lifecycle[]> {
  const intervals = question.boundariesUs.length - 2;
  const counts = Array.from({ length: intervals }, (_, index) =>
    LIFECYCLE_STATES.map((state) => `, countif(${stateSql(state, index + 1)})`).join(''),
  );
  const rows = stateRowsSql(run, question, { as: 'key', place: by?.place });
  const place = by ? 'place' : '0';
  const result = await run.connection.run(
    `WITH people AS MATERIALIZED (${rows})
      SELECT ${place}, count(*)${counts.join('')} FROM people GROUP BY ALL`,
  );
  const found = Array.from({ length: by?.places ?? 1 }, (): number[] => []);
  for (const [group, ...counted] of await result.getRows()) {
    found[Number(group)] = counted.map(Number);
  }
  return found.map(([people = 0, ...counted]) => {
    const countOf = (interval: number, state: LifecycleState): number =>
      counted[interval * LIFECYCLE_STATES.length + LIFECYCLE_STATES.indexOf(state)] ?? 0;
    return {
      people,
      intervals: Array.from({ length: intervals }, (_, interval) => ({
        new: countOf(interval, 'new'),
        returning: countOf(interval, 'returning'),
        resurrected: countOf(interval, 'resurrected'),
        dormant: countOf(interval, 'dormant'),
      })),
    };
  });
}

async function countByValue(
  run: QueryRun,
  question: LifecycleQuestion,
  breakdown: Dimension,
): Promise<Pick<LifecycleAnswer, 'brokenDown' | 'groups'>> {
  const inWindow = { ...run.selection, fromUs: at(question.boundariesUs, 1) };
  const by = await bounded(run, breakdown, inWindow);
  const shown = await shownBySql(run, by, inWindow);
  const values = [...shown.values, null];
  const place = placeSql(shown.values, dimensionSql(by).value);
  const groups = await countStates(run, question, { place, places: values.length });
  return {
    groups: values
      .map((value, index) => ({ value, ...at(groups, index) }))
      .filter(({ value, people }) => isAlwaysShown(shown, value) || people > 0),
    brokenDown: brokenDown(shown),
  };
}

export async function countLifecycle(
  run: QueryRun,
  question: LifecycleQuestion,
): Promise<LifecycleAnswer> {
  const { breakdown } = question;
  const [total = outside()] = await countStates(run, question);
  return {
    dataThroughMs: run.source.dataThroughMs,
    ...total,
    ...(breakdown && (await countByValue(run, question, breakdown))),
  };
}
