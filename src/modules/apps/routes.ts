import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created } from '../../http/acts.ts';
import { App } from '../../shared/app.ts';
import { createApp, listApps } from './create.ts';
import { deleteApp } from './delete.ts';
import { CreateAppBody, DeleteAppQuery, DeletedApp } from './model.ts';

export const appsRoutes = taggedRoutes('Apps', '/v1/apps')
  .get('', ({ ctx }) => listApps(ctx), {
    forOrganization: true,
    response: { 200: Type.Array(App) },
    detail: {
      operationId: 'listApps',
      summary: "List the organization's apps, newest first",
      description: 'Apps that are being deleted are left out.',
    },
  })
  .post('', created(createApp), {
    forOrganization: { permission: 'app:update', errors: ['slug_taken', 'conflict'] },
    body: CreateAppBody,
    response: { 201: App },
    detail: {
      operationId: 'createApp',
      summary: 'Create an app; it is provisioned in the background',
      description:
        '`status` is `provisioning` until its event store and its first funnel are there, then `active`.',
    },
  })
  .get('/:id', ({ ctx }) => ctx.app, {
    forApp: true,
    response: { 200: App },
    detail: {
      operationId: 'getApp',
      summary: 'Read an app',
      description: 'An app of another organization is answered like one that never existed.',
    },
  })
  .delete('/:id', ({ ctx, query }) => deleteApp(ctx, query), {
    forApp: { permission: 'app:delete', errors: ['confirmation_mismatch'] },
    query: DeleteAppQuery,
    response: { 200: DeletedApp },
    detail: {
      operationId: 'deleteApp',
      summary: 'Delete an app and everything that belongs to it',
      description:
        'Gone from every answer at once; its events, funnels, keys, purchases and connections are removed in the background. It cannot be undone. `confirm` is its slug: send it, so that no other app is meant.',
      'x-always-sent': ['confirm'],
    },
  });
