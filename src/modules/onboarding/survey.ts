import type { SelfContext } from '../../context.ts';
import type { OnboardingSurvey, SurveyAnswers } from './model.ts';
import { selectSurvey, upsertSurvey } from './queries.ts';

const NOT_ANSWERED: OnboardingSurvey = {
  completed: false,
  source: null,
  building: null,
  completedAt: null,
};

export async function getSurvey({ deps, self }: SelfContext<'sql'>): Promise<OnboardingSurvey> {
  return (await selectSurvey(deps.sql, self)) ?? NOT_ANSWERED;
}

export async function answerSurvey(
  { deps, self }: SelfContext<'clock' | 'sql'>,
  answers: SurveyAnswers,
): Promise<OnboardingSurvey> {
  return upsertSurvey(deps.sql, self, answers, deps.clock());
}
