import type { UserContext } from '../../context.ts';
import type { OnboardingSurvey, SurveyAnswers } from './model.ts';
import { selectSurvey, upsertSurvey } from './queries.ts';

const NOT_ANSWERED: OnboardingSurvey = {
  completed: false,
  source: null,
  building: null,
  completedAt: null,
};

export async function getSurvey({ deps, userId }: UserContext<'sql'>): Promise<OnboardingSurvey> {
  return (await selectSurvey(deps.sql, userId)) ?? NOT_ANSWERED;
}

export async function answerSurvey(
  { deps, userId }: UserContext<'clock' | 'sql'>,
  answers: SurveyAnswers,
): Promise<OnboardingSurvey> {
  return upsertSurvey(deps.sql, userId, answers, deps.clock());
}
