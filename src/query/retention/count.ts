import { isReserved } from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import { type ByValue, groupedAnswer, readByValue, sqlByValue } from '../reading/by-value.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import { cohortRowsSql, returnedSql, type Valued } from './cohorts.ts';
import type {
  Cohorts,
  RetentionAnswer,
  RetentionQuestion,
  RetentionPeopleQuestion,
} from './model.ts';
import { RetentionCounter } from './projected.ts';
import { heldForRetention, namesRead, startSelection } from './selections.ts';

export function retentionPeople(
  run: SqlRun,
  question: RetentionPeopleQuestion,
): Promise<PeopleAnswer> {
  const { cohortIndex, period } = question;
  const returned = period === 0 ? '' : ` AND ${returnedSql(question, period, run.sql.dialect)}`;
  const rows = cohortRowsSql(run, question, { as: 'id' });
  return peoplePage(run, rows, `cohort = ${cohortIndex}${returned}`, question);
}

async function countCohorts(
  run: SqlRun,
  question: RetentionQuestion,
  by: (Valued & { places: number }) | null,
): Promise<Cohorts[]> {
  const { dialect } = run.sql;
  const periods = Array.from({ length: question.periods }, (_, index) => index + 1);
  const counts = periods
    .map((period) => `, count_if(${returnedSql(question, period, dialect)})`)
    .join('');
  const rows = cohortRowsSql(run, question, { as: 'key', ...(by && { by }) });
  const place = by ? 'place' : '0 AS place';
  const byCohort = (from: string) =>
    `SELECT ${place}, cohort, count(*)${counts} FROM ${from} GROUP BY 1, 2`;
  const isInOne = question.cohort === 'first';
  const nothing = periods.map(() => ', 0').join('');
  const counted = await readRows(
    run,
    isInOne
      ? byCohort(`(${rows})`)
      : `WITH cohorts AS ${dialect.materialized} (${rows})
          SELECT ${place}, NULL, count(DISTINCT person)${nothing} FROM cohorts GROUP BY 1
          UNION ALL ${byCohort('cohorts')}`,
  );
  const found = Array.from({ length: by?.places ?? 1 }, () => ({
    people: 0,
    cohorts: Array.from({ length: question.cohorts }, () => ({
      size: 0,
      returned: periods.map(() => 0),
    })),
  }));
  for (const [place, cohort, size, ...returned] of counted) {
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

const toForms = (run: SqlRun, question: RetentionQuestion): ByValue<RetentionAnswer, Cohorts> => ({
  by: question.breakdown,
  meant: startsIn(question),
  suits: heldForRetention(question),
  start: (share, values) => {
    const task = { question, values };
    const counter = new RetentionCounter(share, task);
    const counts = () => counter.counts();
    return { counter, task: { kind: 'retention', question: task }, counts };
  },
  count: (split) => countCohorts(run, question, split),
  answer: (counted, shown) => groupedAnswer(run, counted, shown),
});

export const retentionBySql = (run: SqlRun, question: RetentionQuestion) =>
  sqlByValue(run, toForms(run, question));

/** Unfinished periods are the caller's to leave out. */
export const countRetention = (run: QueryRun, question: RetentionQuestion) =>
  readByValue(run, question, toForms);
