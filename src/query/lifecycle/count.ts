import { at, outside } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { Part } from '../reading/projection/parts.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import * as shownValues from '../reading/shown-values.ts';
import { dimensionSql } from '../selection/dimension.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import * as model from './model.ts';
import { heldForLifecycle } from './needs.ts';
import { LifecycleCounter } from './projected.ts';
import { stateRowsSql, stateSql } from './states.ts';

export function lifecyclePeople(
  run: QueryRun,
  question: model.LifecyclePeopleQuestion,
): Promise<PeopleAnswer> {
  const rows = stateRowsSql(run, question, { as: 'id' });
  return peoplePage(run, rows, stateSql(question.state, question.interval), question);
}

async function countStates(
  run: QueryRun,
  question: model.LifecycleQuestion,
  by?: { place: string; places: number },
): Promise<model.Lifecycle[]> {
  const intervals = question.boundariesUs.length - 2;
  const counts = Array.from({ length: intervals }, (_, index) =>
    model.LIFECYCLE_STATES.map((state) => `, countif(${stateSql(state, index + 1)})`).join(''),
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

function toAnswer(
  { source: { dataThroughMs } }: QueryRun,
  [total = outside(), ...groups]: readonly model.Lifecycle[],
  shown: shownValues.Shown | null,
): model.LifecycleAnswer {
  if (shown === null) return { dataThroughMs, ...total };
  return {
    ...{ dataThroughMs, ...total },
    groups: [...shown.values, null]
      .map((value, index) => ({ value, ...at(groups, index) }))
      .filter(({ value, people }) => shownValues.isAlwaysShown(shown, value) || people > 0),
    brokenDown: shownValues.brokenDown(shown),
  };
}

const toWindow = ({ boundariesUs }: model.LifecycleQuestion) => ({
  fromUs: at(boundariesUs, 1),
  beforeUs: at(boundariesUs, boundariesUs.length - 1),
});

async function countBySql(
  run: QueryRun,
  question: model.LifecycleQuestion,
): Promise<model.LifecycleAnswer> {
  const total = await countStates(run, question);
  const { breakdown: by } = question;
  if (!by) return toAnswer(run, total, null);
  const shown = await shownValues.shownBySql(run, by, { ...run.selection, ...toWindow(question) });
  const place = shownValues.placeSql(shown.values, dimensionSql(by).value);
  const groups = await countStates(run, question, { place, places: shown.values.length + 1 });
  return toAnswer(run, [...total, ...groups], shown);
}

function projectedForm(run: QueryRun, question: model.LifecycleQuestion) {
  const suits = heldForLifecycle(question);
  if (suits === null) return null;
  const { breakdown: by, names, filters, where } = question;
  const count = async (countParts: CountParts, parts: readonly Part[]) => {
    const counting = { source: run.source, parts, countParts };
    const meant = { names, filters, where, ...toWindow(question) };
    const shown = by ? await shownValues.shownByParts(counting, by, meant) : null;
    if (by && shown === null) return null;
    const task = { question, values: shown && { by: shown.by, shown: shown.values } };
    return countParts((share) => {
      const counter = new LifecycleCounter(share, task);
      const answer = () => toAnswer(run, counter.counts(), shown);
      return { counter, task: { kind: 'lifecycle' as const, question: task }, answer };
    });
  };
  return { suits, count };
}

export async function countLifecycle(
  run: QueryRun,
  asked: model.LifecycleQuestion,
): Promise<model.LifecycleAnswer> {
  const inWindow = { ...run.selection, ...toWindow(asked) };
  const by = asked.breakdown && (await bounded(run, asked.breakdown, inWindow));
  const question = { ...asked, ...(by && { breakdown: by }) };
  return read(run, {
    projected: projectedForm(run, question),
    sql: () => countBySql(run, question),
  });
}
