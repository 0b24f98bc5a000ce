import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { appContext } from '../../../http/state.ts';
import { ChangeOnboardingBody, CreateOnboardingBody, Onboarding } from './model.ts';
import {
  changeOnboarding,
  createOnboarding,
  deleteOnboarding,
  listOnboardings,
  readOnboarding,
} from './onboardings.ts';

export const onboardingsRoutes = new Elysia({
  prefix: '/v1/apps/:id/onboardings',
  detail: { tags: ['Experiments'] },
})
  .get('', ({ request }) => listOnboardings(appContext(request)), {
    response: { 200: Type.Array(Onboarding) },
    detail: { summary: 'List the onboardings of an app, the default first' },
  })
  .post(
    '',
    async ({ request, body, status }) =>
      status(201, await createOnboarding(appContext(request), body)),
    {
      body: CreateOnboardingBody,
      response: { 201: Onboarding },
      detail: { summary: 'Create an onboarding' },
    },
  )
  .get('/:onboardingId', ({ request, params }) => readOnboarding(appContext(request), params), {
    response: { 200: Onboarding },
    detail: { summary: 'Read an onboarding' },
  })
  .patch(
    '/:onboardingId',
    ({ request, params, body }) =>
      changeOnboarding(appContext(request), { ...body, onboardingId: params.onboardingId }),
    {
      body: ChangeOnboardingBody,
      response: { 200: Onboarding },
      detail: { summary: 'Change an onboarding' },
    },
  )
  .delete(
    '/:onboardingId',
    async ({ request, params, set }) => {
      await deleteOnboarding(appContext(request), params);
      set.status = 204;
    },
    { response: { 204: Type.Void() }, detail: { summary: 'Delete an onboarding' } },
  );
