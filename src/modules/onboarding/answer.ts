import type { UserContext } from '../../context.ts';
import type { OnboardingSurvey, SurveyAnswers } from './model.ts';
import { upsertSurvey } from './queries.ts';

/** Marks the survey complete, once; what a later answer leaves out stays as it was. */
export async function answerSurvey(
  { deps, userId }: UserContext,
  answers: SurveyAnswers,
): Promise<OnboardingSurvey> {
  return upsertSurvey(deps.sql, userId, answers, deps.clock());
}
