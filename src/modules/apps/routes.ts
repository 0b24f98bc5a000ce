import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { appContext, orgContext } from '../../http/state.ts';
import { App } from '../../shared/app.ts';
import { createApp } from './create.ts';
import { deleteApp } from './delete.ts';
import { listApps } from './list.ts';
import { CreateAppBody, DeleteAppQuery, DeletedApp } from './model.ts';

export const appsRoutes = new Elysia({ prefix: '/v1/apps', detail: { tags: ['Apps'] } })
  .get('', ({ request }) => listApps(orgContext(request)), {
    response: { 200: Type.Array(App) },
    detail: { summary: "List the organization's apps, newest first" },
  })
  .post(
    '',
    async ({ request, body, status }) => status(201, await createApp(orgContext(request), body)),
    {
      body: CreateAppBody,
      response: { 201: App },
      detail: { summary: 'Create an app; it is provisioned in the background' },
    },
  )
  .get('/:id', ({ request }) => appContext(request).app, {
    response: { 200: App },
    detail: { summary: 'Read an app' },
  })
  .delete('/:id', ({ request, query }) => deleteApp(appContext(request), query), {
    query: DeleteAppQuery,
    response: { 200: DeletedApp },
    detail: { summary: 'Delete an app and everything that belongs to it' },
  });
