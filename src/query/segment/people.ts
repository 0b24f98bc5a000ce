import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import { membersSql } from './members.ts';
import type { SegmentQuestion } from './model.ts';

export async function segmentPeople(
  run: QueryRun,
  question: SegmentQuestion,
): Promise<PeopleAnswer> {
  return peoplePage(run, await membersSql(run, question), 'true', question);
}
