import type { UserContext } from '../../context.ts';
import type { OnboardingSurvey } from './model.ts';
import { selectSurvey } from './queries.ts';

const NOT_ANSWERED: OnboardingSurvey = {
  completed: false,
  source: null,
  building: null,
  completedAt: null,
};

export async function getSurvey({ deps, userId }: UserContext): Promise<OnboardingSurvey> {
  return (await selectSurvey(deps.sql, userId)) ?? NOT_ANSWERED;
}
