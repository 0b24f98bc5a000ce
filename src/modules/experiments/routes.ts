import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { assign } from './assign.ts';
import {
  changeExperiment,
  createExperiment,
  deleteExperiment,
  listExperiments,
  readExperiment,
} from './experiments.ts';
import { experimentExists } from './index.ts';
import {
  Assignment,
  AssignmentQuery,
  ChangeExperimentBody,
  CreateExperimentBody,
  Experiment,
} from './model.ts';
import { ExperimentReport } from './report.model.ts';
import { reportExperiment } from './report.ts';

const owns = { experimentId: experimentExists };
const changes = { permission: 'app:update', owns, errors: ['conflict'] } as const;

const consoleRoutes = new Elysia({ prefix: '/v1/apps/:id/experiments' })
  .use(access)
  .get('', ({ ctx }) => listExperiments(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Type.Array(Experiment) },
    detail: { summary: 'List the experiments of an app, newest first' },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createExperiment(ctx, body)), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: CreateExperimentBody,
    response: { 201: Experiment },
    detail: { summary: 'Create an experiment as a draft' },
  })
  .get('/:experimentId', ({ ctx, params }) => readExperiment(ctx, params), {
    forApp: { permission: 'app:read', owns },
    response: { 200: Experiment },
    detail: { summary: 'Read an experiment' },
  })
  .patch(
    '/:experimentId',
    ({ ctx, params, body }) =>
      changeExperiment(ctx, { ...body, experimentId: params.experimentId }),
    {
      forApp: changes,
      body: ChangeExperimentBody,
      response: { 200: Experiment },
      detail: { summary: 'Change, start or stop an experiment' },
    },
  )
  .delete(
    '/:experimentId',
    async ({ ctx, params, status }) => status(204, await deleteExperiment(ctx, params)),
    {
      forApp: changes,
      response: { 204: Type.Void() },
      detail: { summary: 'Delete an experiment' },
    },
  )
  .get('/:experimentId/report', ({ ctx, params }) => reportExperiment(ctx, params), {
    forApp: { permission: 'app:read', owns, errors: ['conflict'] },
    response: { 200: ExperimentReport },
    detail: { summary: 'How the people of each arm converted, and whether the split is sound' },
  });

export const experimentsRoutes = new Elysia({ detail: { tags: ['Experiments'] } })
  .use(access)
  .use(consoleRoutes)
  .get(
    '/v1/experiments',
    ({ ctx, request, query }) => {
      const records = request.method !== 'HEAD';
      return assign(ctx, { anonymousId: query.anonymousId, records });
    },
    {
      forDevice: { limit: 'experiments' },
      query: AssignmentQuery,
      response: { 200: Assignment },
      detail: { summary: 'The onboarding that this person should see, and the arm it came from' },
    },
  );
