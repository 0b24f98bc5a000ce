import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { created, removed } from '../../../http/acts.ts';
import { ChangeOnboardingBody, CreateOnboardingBody, Onboarding } from './model.ts';
import * as onboardings from './onboardings.ts';

const owns = { onboardingId: onboardings.onboardingExists };
const changes = { permission: 'app:update', owns, errors: ['conflict'] } as const;

export const onboardingsRoutes = taggedRoutes('Experiments', '/v1/apps/:id/onboardings')
  .get('', ({ ctx }) => onboardings.listOnboardings(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Type.Array(Onboarding) },
    detail: {
      operationId: 'listOnboardings',
      summary: 'List the onboardings of an app, the default first',
      description: 'An onboarding is any JSON whose meaning the app knows.',
    },
  })
  .post('', created(onboardings.createOnboarding), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: CreateOnboardingBody,
    response: { 201: Onboarding },
    detail: {
      operationId: 'createOnboarding',
      summary: 'Create an onboarding',
      description: 'The first one of an app is its default.',
    },
  })
  .get('/:onboardingId', ({ ctx, params }) => onboardings.readOnboarding(ctx, params), {
    forApp: { permission: 'app:read', owns },
    response: { 200: Onboarding },
    detail: {
      operationId: 'getOnboarding',
      summary: 'Read an onboarding',
      description: 'With its whole `config`.',
    },
  })
  .patch(
    '/:onboardingId',
    ({ ctx, params, body }) =>
      onboardings.changeOnboarding(ctx, { ...body, onboardingId: params.onboardingId }),
    {
      forApp: changes,
      body: ChangeOnboardingBody,
      response: { 200: Onboarding },
      detail: {
        operationId: 'updateOnboarding',
        summary: 'Change an onboarding',
        description:
          'What is left out stays. People of a running experiment see the change at once.',
      },
    },
  )
  .delete('/:onboardingId', removed(onboardings.deleteOnboarding), {
    forApp: changes,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteOnboarding',
      summary: 'Delete an onboarding',
      description: 'Refused while an experiment that is not stopped uses it.',
    },
  });
