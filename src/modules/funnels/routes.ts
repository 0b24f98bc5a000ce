import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { wantsCsv } from '../../http/wants-csv.ts';
import { stepsCsv } from './csv.ts';
import { deleteFunnel, listFunnels } from './funnels.ts';
import { createHintedFunnel, editHintedFunnel, hintedFunnelReport } from './hints.ts';
import { funnelExists } from './index.ts';
import { Funnel, FunnelChange, NewFunnel } from './model.ts';
import { listFunnelPeople } from './people.ts';
import { PeopleQuery, ReportQuery } from './report-query.ts';
import { FunnelReport, PeoplePage } from './rules/report.model.ts';

/** Two media types: beyond the response schema of a route. */
const REPORT_CONTENT = {
  'application/json': { schema: JSON.parse(JSON.stringify(FunnelReport)) },
  'text/csv': { schema: { type: 'string' as const } },
};

export const funnelsRoutes = new Elysia({
  prefix: '/v1/apps/:id/funnels',
  detail: { tags: ['Funnels'] },
})
  .use(access)
  .get('', ({ ctx }) => listFunnels(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: Type.Array(Funnel) },
    detail: {
      operationId: 'listFunnels',
      summary: 'List the funnels of an app, the default first',
      description: 'Every app begins with one.',
    },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createHintedFunnel(ctx, body)), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NewFunnel,
    response: { 201: Funnel },
    detail: {
      operationId: 'createFunnel',
      summary: 'Make a funnel',
      description:
        '2 to 12 steps. As a default it takes the place of the present one. A step that the app never sent is taken, with a `hint` that names it.',
    },
  })
  .put(
    '/:funnelId',
    ({ ctx, params, body }) => editHintedFunnel(ctx, { funnelId: params.funnelId, change: body }),
    {
      forApp: { permission: 'app:update', owns: { funnelId: funnelExists } },
      body: FunnelChange,
      response: { 200: Funnel },
      detail: {
        operationId: 'updateFunnel',
        summary: 'Edit a funnel: any of name, steps, isDefault',
        description: 'What is left out stays. Reports count past events by the new steps.',
      },
    },
  )
  .delete(
    '/:funnelId',
    async ({ ctx, params, status }) => status(204, await deleteFunnel(ctx, params)),
    {
      forApp: { permission: 'app:update', owns: { funnelId: funnelExists } },
      response: { 204: Type.Void() },
      detail: {
        operationId: 'deleteFunnel',
        summary: 'Delete a funnel',
        description: 'Deleting the default makes the oldest other one the default.',
      },
    },
  )
  .get(
    '/:funnelId/report',
    async ({ ctx, request, params, query, set }) => {
      const report = await hintedFunnelReport(ctx, { funnelId: params.funnelId, query });
      set.headers.vary = 'accept';
      if (!wantsCsv(request)) return report;
      set.headers['content-type'] = 'text/csv; charset=utf-8';
      return new Response(stepsCsv(report));
    },
    {
      forApp: { permission: 'analytics:read', owns: { funnelId: funnelExists } },
      query: ReportQuery,
      detail: {
        operationId: 'getFunnelReport',
        summary: 'How many people came how far; with Accept: text/csv the steps as CSV',
        description:
          'People who did step 1 in the window and the steps after it in order, each within the conversion window from step 1. With fewer than fifty people in step 1 no figure is drawn; `people` still says how many there were. Intervals are Wilson’s, 95 %.',
        responses: { 200: { description: 'The report.', content: REPORT_CONTENT } },
      },
    },
  )
  .get(
    '/:funnelId/people',
    ({ ctx, params, query }) => listFunnelPeople(ctx, { funnelId: params.funnelId, query }),
    {
      forApp: {
        permission: 'analytics:read',
        owns: { funnelId: funnelExists },
        errors: ['conflict'],
      },
      query: PeopleQuery,
      response: { 200: PeoplePage },
      detail: {
        operationId: 'listFunnelPeople',
        summary: 'The persons behind one figure of a funnel',
        description:
          'Those who reached a step, or were lost before it. Refused (409) while the report draws no figure.',
      },
    },
  );
