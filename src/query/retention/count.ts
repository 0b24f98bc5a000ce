import { isReserved } from '../../event-store/read.ts';
import { at, outside } from '../../shared/assert.ts';
import { bounded } from '../reading/bounds.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { Part } from '../reading/projection/parts.ts';
import type { Share } from '../reading/projection/share.ts';
import { type CountParts, read } from '../reading/read.ts';
import type { QueryRun } from '../reading/run.ts';
import { placeSql, type Shown, shownBySql, shownByParts } from '../reading/shown-values.ts';
import { dimensionSql } from '../selection/dimension.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import { type EventSelection, named } from '../selection/selection.ts';
import { cohortRowsSql, returnedSql, type Valued } from './cohorts.ts';
import type {
  Cohorts,
  RetentionAnswer,
  RetentionQuestion,
  RetentionPeopleQuestion,
} from './model.ts';
import { RetentionCounter } from './projected.ts';
import { heldForRetention, namesRead, startSelection } from './selections.ts';
import { retentionAnswer } from './shown.ts';

export function retentionPeople(
  run: QueryRun,
  question: RetentionPeopleQuestion,
): Promise<PeopleAnswer> {
  const { cohortIndex, period } = question;
  const returned = period === 0 ? '' : ` AND ${returnedSql(question, period)}`;
  const rows = cohortRowsSql(run, question, { as: 'id' });
  return peoplePage(run, rows, `cohort = ${cohortIndex}${returned}`, question);
}

async function countCohorts(
  run: QueryRun,
  question: RetentionQuestion,
  by?: Valued & { places: number },
): Promise<Cohorts[]> {
  const periods = Array.from({ length: question.periods }, (_, index) => index + 1);
  const counts = periods.map((period) => `, countif(${returnedSql(question, period)})`).join('');
  const rows = cohortRowsSql(run, question, { as: 'key', by });
  const place = by ? 'place' : '0 AS place';
  const byCohort = (from: string) =>
    `SELECT ${place}, cohort, count(*)${counts} FROM ${from} GROUP BY ALL`;
  const isInOne = question.cohort === 'first';
  const nothing = periods.map(() => ', 0').join('');
  const result = await run.connection.run(
    isInOne
      ? byCohort(`(${rows})`)
      : `WITH cohorts AS MATERIALIZED (${rows})
          SELECT ${place}, NULL, count(DISTINCT person)${nothing} FROM cohorts GROUP BY ALL
          UNION ALL ${byCohort('cohorts')}`,
  );
  const found = Array.from({ length: by?.places ?? 1 }, () => ({
    people: 0,
    cohorts: Array.from({ length: question.cohorts }, () => ({
      size: 0,
      returned: periods.map(() => 0),
    })),
  }));
  for (const [place, cohort, size, ...returned] of await result.getRows()) {
    const group = at(found, Number(place));
    if (cohort === null || isInOne) group.people += Number(size);
    if (cohort !== null) {
      group.cohorts[Number(cohort)] = { size: Number(size), returned: returned.map(Number) };
    }
  }
  return found;
}

function startsIn(question: RetentionQuestion) {
  const { boundariesUs, cohorts } = question;
  const { events = null, where } = startSelection(question);
  const isOfClients = namesRead(question) === null;
  return {
    names: isOfClients && events ? events.filter((name) => !isReserved(name)) : events,
    where,
    filters: {},
    fromUs: at(boundariesUs, 0),
    beforeUs: at(boundariesUs, cohorts),
  };
}

function selectionOfStarts({ selection }: QueryRun, question: RetentionQuestion): EventSelection {
  const { names, where, fromUs, beforeUs } = startsIn(question);
  return { ...selection, ...named(names), where, fromUs, beforeUs };
}

async function countBySql(run: QueryRun, question: RetentionQuestion): Promise<RetentionAnswer> {
  const { dataThroughMs } = run.source;
  const { breakdown: by } = question;
  const [total = outside()] = await countCohorts(run, question);
  const all = { dataThroughMs, ...total };
  if (!by) return all;
  const shown = await shownBySql(run, by, selectionOfStarts(run, question));
  const { column, value } = dimensionSql(by);
  const place = placeSql(shown.values, value);
  const places = shown.values.length + 1;
  return retentionAnswer(all, await countCohorts(run, question, { place, column, places }), shown);
}

type Counting = { share: Share; shown: Shown | null; dataThroughMs: number };

function startCounting(question: RetentionQuestion, { share, shown, dataThroughMs }: Counting) {
  const task = { question, values: shown && { by: shown.by, shown: shown.values } };
  const counter = new RetentionCounter(share, task);
  const answer = (): RetentionAnswer => {
    const [total = outside(), ...groups] = counter.counts();
    const all = { dataThroughMs, ...total };
    return shown ? retentionAnswer(all, groups, shown) : all;
  };
  return { counter, task: { kind: 'retention' as const, question: task }, answer };
}

function projectedForm({ source }: QueryRun, question: RetentionQuestion) {
  const { dataThroughMs } = source;
  const { breakdown: by } = question;
  const suits = heldForRetention(question);
  if (suits === null) return null;
  const count = async (countParts: CountParts, parts: readonly Part[]) => {
    const counting = { source, parts, countParts };
    const shown = by ? await shownByParts(counting, by, startsIn(question)) : null;
    if (by && shown === null) return null;
    return countParts((share) => startCounting(question, { share, shown, dataThroughMs }));
  };
  return { suits, count };
}

/** Unfinished periods are the caller's to leave out. */
export async function countRetention(
  run: QueryRun,
  asked: RetentionQuestion,
): Promise<RetentionAnswer> {
  const { breakdown: by } = asked;
  const question = by
    ? { ...asked, breakdown: await bounded(run, by, selectionOfStarts(run, asked)) }
    : asked;
  return read(run, {
    projected: projectedForm(run, question),
    sql: () => countBySql(run, question),
  });
}
