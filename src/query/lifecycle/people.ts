import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import type { LifecyclePeopleQuestion } from './model.ts';
import { stateRowsSql, stateSql } from './states.ts';

export function lifecyclePeople(
  run: QueryRun,
  question: LifecyclePeopleQuestion,
): Promise<PeopleAnswer> {
  const rows = stateRowsSql(run, question, { as: 'id' });
  return peoplePage(run, rows, stateSql(question.state, question.interval), question);
}
