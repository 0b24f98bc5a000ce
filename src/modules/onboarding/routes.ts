import { Elysia } from 'elysia';
import { userContext } from '../../http/state.ts';
import { OnboardingSurvey, SurveyBody } from './model.ts';
import { answerSurvey, getSurvey } from './survey.ts';

export const onboardingRoutes = new Elysia({
  prefix: '/v1/onboarding',
  detail: { tags: ['Onboarding survey'] },
})
  .get('', ({ request }) => getSurvey(userContext(request)), {
    response: { 200: OnboardingSurvey },
    detail: { summary: 'Read the survey of the signed-in person' },
  })
  .post('', ({ request, body }) => answerSurvey(userContext(request), body ?? {}), {
    body: SurveyBody,
    response: { 200: OnboardingSurvey },
    detail: { summary: 'Answer the survey; again to change the answers' },
  });
