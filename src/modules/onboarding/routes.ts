import { taggedRoutes } from '../../http/route.ts';
import { OnboardingSurvey, SurveyBody } from './model.ts';
import { answerSurvey, getSurvey } from './survey.ts';

export const onboardingRoutes = taggedRoutes('Onboarding survey', '/v1/onboarding')
  .get('', ({ ctx }) => getSurvey(ctx), {
    forSelf: true,
    response: { 200: OnboardingSurvey },
    detail: {
      operationId: 'getOnboardingSurvey',
      summary: 'Read the survey of the signed-in person',
      description: '`completed` is false until it was answered.',
    },
  })
  .post('', ({ ctx, body }) => answerSurvey(ctx, body ?? {}), {
    forSelf: true,
    body: SurveyBody,
    response: { 200: OnboardingSurvey },
    detail: {
      operationId: 'answerOnboardingSurvey',
      summary: 'Answer the survey; again to change the answers',
      description: 'Without a body the survey is complete without answers.',
    },
  });
