import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { appContext, deviceContext } from '../../http/state.ts';
import { assign } from './assign.ts';
import {
  changeExperiment,
  createExperiment,
  deleteExperiment,
  listExperiments,
  readExperiment,
} from './experiments.ts';
import {
  Assignment,
  AssignmentQuery,
  ChangeExperimentBody,
  CreateExperimentBody,
  Experiment,
} from './model.ts';
import { ExperimentReport } from './report.model.ts';
import { reportExperiment } from './report.ts';

const consoleRoutes = new Elysia({ prefix: '/v1/apps/:id/experiments' })
  .get('', ({ request }) => listExperiments(appContext(request)), {
    response: { 200: Type.Array(Experiment) },
    detail: { summary: 'List the experiments of an app, newest first' },
  })
  .post(
    '',
    async ({ request, body, status }) =>
      status(201, await createExperiment(appContext(request), body)),
    {
      body: CreateExperimentBody,
      response: { 201: Experiment },
      detail: { summary: 'Create an experiment as a draft' },
    },
  )
  .get('/:experimentId', ({ request, params }) => readExperiment(appContext(request), params), {
    response: { 200: Experiment },
    detail: { summary: 'Read an experiment' },
  })
  .patch(
    '/:experimentId',
    ({ request, params, body }) =>
      changeExperiment(appContext(request), { ...body, experimentId: params.experimentId }),
    {
      body: ChangeExperimentBody,
      response: { 200: Experiment },
      detail: { summary: 'Change, start or stop an experiment' },
    },
  )
  .delete(
    '/:experimentId',
    async ({ request, params, set }) => {
      await deleteExperiment(appContext(request), params);
      set.status = 204;
    },
    { response: { 204: Type.Void() }, detail: { summary: 'Delete an experiment' } },
  )
  .get(
    '/:experimentId/report',
    ({ request, params }) => reportExperiment(appContext(request), params),
    {
      response: { 200: ExperimentReport },
      detail: { summary: 'How the people of each arm converted, and whether the split is sound' },
    },
  );

export const experimentsRoutes = new Elysia({ detail: { tags: ['Experiments'] } })
  .use(consoleRoutes)
  .get(
    '/v1/experiments',
    ({ request, query }) => {
      const records = request.method !== 'HEAD';
      return assign(deviceContext(request), { anonymousId: query.anonymousId, records });
    },
    {
      query: AssignmentQuery,
      response: { 200: Assignment },
      detail: { summary: 'The onboarding that this person should see, and the arm it came from' },
    },
  );
