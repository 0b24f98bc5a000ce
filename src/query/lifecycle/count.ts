import { at } from '../../shared/assert.ts';
import { type ByValue, groupedAnswer, readByValue, sqlByValue } from '../reading/by-value.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import * as model from './model.ts';
import { heldForLifecycle } from './needs.ts';
import { LifecycleCounter } from './projected.ts';
import { stateRowsSql, stateSql } from './states.ts';

export function lifecyclePeople(
  run: SqlRun,
  question: model.LifecyclePeopleQuestion,
): Promise<PeopleAnswer> {
  const rows = stateRowsSql(run, question, { as: 'id' });
  const isIn = stateSql(question.state, question.interval, run.sql.dialect);
  return peoplePage(run, rows, isIn, question);
}

async function countStates(
  run: SqlRun,
  question: model.LifecycleQuestion,
  by: { place: string; places: number } | null,
): Promise<model.Lifecycle[]> {
  const intervals = question.boundariesUs.length - 2;
  const { dialect } = run.sql;
  const counts = Array.from({ length: intervals }, (_, index) =>
    model.LIFECYCLE_STATES.map(
      (state) => `, count_if(${stateSql(state, index + 1, dialect)})`,
    ).join(''),
  );
  const rows = stateRowsSql(run, question, { as: 'key', place: by?.place });
  const place = by ? 'place' : '0';
  const counted = await readRows(
    run,
    `WITH people AS ${dialect.materialized} (${rows})
      SELECT ${place}, count(*)${counts.join('')} FROM people GROUP BY 1`,
  );
  const found = Array.from({ length: by?.places ?? 1 }, (): number[] => []);
  for (const [group, ...counts] of counted) {
    found[Number(group)] = counts.map(Number);
  }
  return found.map(([people = 0, ...counted]) => {
    const countOf = (interval: number, state: model.LifecycleState): number =>
      counted[interval * model.LIFECYCLE_STATES.length + model.LIFECYCLE_STATES.indexOf(state)] ??
      0;
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

const toForms = (
  run: SqlRun,
  question: model.LifecycleQuestion,
): ByValue<model.LifecycleAnswer, model.Lifecycle> => ({
  by: question.breakdown,
  meant: {
    ...{ names: question.names, filters: question.filters, where: question.where },
    fromUs: at(question.boundariesUs, 1),
    beforeUs: at(question.boundariesUs, question.boundariesUs.length - 1),
  },
  suits: heldForLifecycle(question),
  start: (share, values) => {
    const task = { question, values };
    const counter = new LifecycleCounter(share, task);
    const counts = () => counter.counts();
    return { counter, task: { kind: 'lifecycle', question: task }, counts };
  },
  count: (split) => countStates(run, question, split),
  answer: (counted, shown) => groupedAnswer(run, counted, shown),
});

export const lifecycleBySql = (run: SqlRun, question: model.LifecycleQuestion) =>
  sqlByValue(run, toForms(run, question));

export const countLifecycle = (run: QueryRun, question: model.LifecycleQuestion) =>
  readByValue(run, question, toForms);
