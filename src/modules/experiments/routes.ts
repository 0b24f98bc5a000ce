import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access, taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { ExperimentSizes, SizesQuery } from './comparison/sizes.ts';
import * as experiments from './experiments.ts';
import { assign } from './exposure.ts';
import { experimentExists } from './index.ts';
import * as model from './model.ts';
import { listOverrides, removeOverride, setOverride } from './overrides.ts';
import { ExperimentReport } from './report.model.ts';
import { reportExperiment } from './report.ts';
import { shipArm } from './ship.ts';
import { experimentSizes } from './sizes.ts';

const owns = { experimentId: experimentExists };
const changes = { permission: 'app:update', owns, errors: ['conflict'] } as const;

const consoleRoutes = new Elysia({ prefix: '/v1/apps/:id/experiments' })
  .use(access)
  .get('', ({ ctx }) => experiments.listExperiments(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Type.Array(model.Experiment) },
    detail: {
      operationId: 'listExperiments',
      summary: 'List the experiments of an app, newest first',
      description: 'At most one of onboardings runs, and any number of flags.',
    },
  })
  .post('', created(experiments.createExperiment), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: model.CreateExperimentBody,
    response: { 201: model.Experiment },
    detail: {
      operationId: 'createExperiment',
      summary: 'Create an experiment as a draft',
      description:
        'Nobody is exposed before it is started. Arms without onboardings get their values from rules of flags.',
    },
  })
  .get('/:experimentId', ({ ctx, params }) => experiments.readExperiment(ctx, params), {
    forApp: { permission: 'app:read', owns },
    response: { 200: model.Experiment },
    detail: {
      operationId: 'getExperiment',
      summary: 'Read an experiment',
      description: 'Its arms with their weights and onboardings, and its part of a layer.',
    },
  })
  .patch(
    '/:experimentId',
    ({ ctx, params, body }) =>
      experiments.changeExperiment(ctx, { ...body, experimentId: params.experimentId }),
    {
      forApp: changes,
      body: model.ChangeExperimentBody,
      response: { 200: model.Experiment },
      detail: {
        operationId: 'updateExperiment',
        summary: 'Change, start or stop an experiment',
        description:
          '`status: running` starts it, `stopped` ends it for good. Weights and onboardings are fixed once it has run.',
      },
    },
  )
  .delete('/:experimentId', removed(experiments.deleteExperiment), {
    forApp: changes,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteExperiment',
      summary: 'Delete an experiment',
      description: 'One that runs has to be stopped first.',
    },
  })
  .get('/:experimentId/report', ({ ctx, params }) => reportExperiment(ctx, params), {
    forApp: { permission: 'app:read', owns, errors: ['conflict'] },
    response: { 200: ExperimentReport },
    detail: {
      operationId: 'getExperimentReport',
      summary: 'How the people of each arm converted, and whether the split is sound',
      description:
        'Counts people with an exposure, in one arm only, not overridden by hand. `measured` takes those whose conversion window is over; the interval of a difference is a confidence sequence, so it holds however often one looks. `answer` says what it comes to, not before seven full days.',
    },
  })
  .get(
    '/:experimentId/sizes',
    ({ ctx, params, query }) => experimentSizes(ctx, { ...params, ...query }),
    {
      forApp: { permission: 'app:read', owns },
      query: SizesQuery,
      response: { 200: ExperimentSizes },
      detail: {
        operationId: 'getExperimentSizes',
        summary: 'How many people and days an experiment takes',
        description:
          'How many people and days it takes to see +10, +20 and +50 % at today’s rate and traffic: of those who entered the default funnel and whose conversion window is over. “Five months” is an answer.',
      },
    },
  )
  .post('/:experimentId/ship', ({ ctx, params, body }) => shipArm(ctx, { ...params, ...body }), {
    forApp: changes,
    body: model.ShipBody,
    response: { 200: model.Experiment },
    detail: {
      operationId: 'shipExperimentArm',
      summary: 'End an experiment and make the onboarding of an arm the default',
      description:
        'Of an experiment of flags: rules give the variant of that arm to everybody. Shipping is your decision: it needs no verdict, and the answer says who did it and when.',
    },
  })
  .get('/:experimentId/overrides', ({ ctx, params }) => listOverrides(ctx, params), {
    forApp: { permission: 'app:read', owns },
    response: { 200: Type.Array(model.Override) },
    detail: {
      operationId: 'listExperimentOverrides',
      summary: 'List the devices that are shown an arm by hand, newest first',
      description: 'Their people count in no report of the experiment.',
    },
  })
  .put(
    '/:experimentId/overrides',
    ({ ctx, params, body }) => setOverride(ctx, { ...params, ...body }),
    {
      forApp: changes,
      body: model.OverrideBody,
      response: { 200: model.Override },
      detail: {
        operationId: 'setExperimentOverride',
        summary: 'Show an arm on one device; its person counts in no report from then on',
        description: 'For looking at an arm on your own phone, whatever the split would give it.',
      },
    },
  )
  .delete(
    '/:experimentId/overrides',
    async ({ ctx, params, query, status }) =>
      status(204, await removeOverride(ctx, { ...params, ...query })),
    {
      forApp: { permission: 'app:update', owns },
      query: model.OverrideQuery,
      response: { 204: Type.Void() },
      detail: {
        operationId: 'deleteExperimentOverride',
        summary: 'Show a device again the arm that it is assigned',
        description: 'Its person stays out of the report of the experiment.',
      },
    },
  );

export const experimentsRoutes = taggedRoutes('Experiments', '')
  .use(consoleRoutes)
  .get(
    '/v1/experiments',
    ({ ctx, request, query }) => {
      const records = request.method !== 'HEAD';
      return assign(ctx, { anonymousId: query.anonymousId, records });
    },
    {
      forDevice: { limit: 'experiments' },
      query: model.AssignmentQuery,
      response: { 200: model.Assignment },
      detail: {
        operationId: 'getExperimentAssignment',
        summary: 'The onboarding that this person should see, and the arm it came from',
        description:
          'The same person gets the same arm for as long as the experiment runs; being asked is the exposure. An app that gets no answer shows the onboarding that it shipped with.',
      },
    },
  );
