import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import { cohortRowsSql, returnedSql } from './cohorts.ts';
import type { RetentionPeopleQuestion } from './model.ts';

export function retentionPeople(
  run: QueryRun,
  question: RetentionPeopleQuestion,
): Promise<PeopleAnswer> {
  const { cohortIndex, period } = question;
  const returned = period === 0 ? '' : ` AND ${returnedSql(question, period)}`;
  const rows = cohortRowsSql(run, question, { as: 'id' });
  return peoplePage(run, rows, `cohort = ${cohortIndex}${returned}`, question);
}
