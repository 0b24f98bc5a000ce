import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { onboardingExists } from '../index.ts';
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
  .use(access)
  .get('', ({ ctx }) => listOnboardings(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Type.Array(Onboarding) },
    detail: { summary: 'List the onboardings of an app, the default first' },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createOnboarding(ctx, body)), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: CreateOnboardingBody,
    response: { 201: Onboarding },
    detail: { summary: 'Create an onboarding' },
  })
  .get('/:onboardingId', ({ ctx, params }) => readOnboarding(ctx, params), {
    forApp: { permission: 'app:read', owns: { onboardingId: onboardingExists } },
    response: { 200: Onboarding },
    detail: { summary: 'Read an onboarding' },
  })
  .patch(
    '/:onboardingId',
    ({ ctx, params, body }) =>
      changeOnboarding(ctx, { ...body, onboardingId: params.onboardingId }),
    {
      forApp: {
        permission: 'app:update',
        owns: { onboardingId: onboardingExists },
        errors: ['conflict'],
      },
      body: ChangeOnboardingBody,
      response: { 200: Onboarding },
      detail: { summary: 'Change an onboarding' },
    },
  )
  .delete(
    '/:onboardingId',
    async ({ ctx, params, set }) => {
      await deleteOnboarding(ctx, params);
      set.status = 204;
    },
    {
      forApp: {
        permission: 'app:update',
        owns: { onboardingId: onboardingExists },
        errors: ['conflict'],
      },
      response: { 204: Type.Void() },
      detail: { summary: 'Delete an onboarding' },
    },
  );
