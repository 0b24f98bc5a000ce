import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { orgContext } from '../../../http/state.ts';
import { App } from '../../../shared/app.ts';
import { Nullable } from '../../../shared/schema.ts';
import { connect } from './connect.ts';
import { disconnect } from './disconnect.ts';
import { getConnection } from './get-connection.ts';
import { importApp } from './import-app.ts';
import { linkApp } from './link.ts';
import { listStoreApps, refreshStoreApps } from './list.ts';
import {
  ConnectBody,
  Connected,
  ImportBody,
  LinkBody,
  Linked,
  RefreshedApps,
  StoreAppLink,
  StoreConnection,
} from './model.ts';

const connectionRoutes = new Elysia({ prefix: '/v1/store', detail: { tags: ['Store'] } })
  .get('/connection', ({ request }) => getConnection(orgContext(request)), {
    response: { 200: Nullable(StoreConnection) },
    detail: { summary: 'Read the store connection, without its key' },
  })
  .post(
    '/connection',
    async ({ request, body, status }) => status(201, await connect(orgContext(request), body)),
    {
      body: ConnectBody,
      response: { 201: Connected },
      detail: { summary: 'Verify a store key with the store and connect it' },
    },
  )
  .delete(
    '/connection',
    async ({ request, set }) => {
      await disconnect(orgContext(request));
      set.status = 204;
    },
    {
      response: { 204: Type.Void() },
      detail: { summary: 'Destroy the store key; sales that were collected stay' },
    },
  );

const appsRoutes = new Elysia({ prefix: '/v1/store/apps', detail: { tags: ['Store'] } })
  .get('', ({ request }) => listStoreApps(orgContext(request)), {
    response: { 200: Type.Array(StoreAppLink) },
    detail: { summary: 'List the apps of the store account, linked and unlinked' },
  })
  .post('/refresh', ({ request }) => refreshStoreApps(orgContext(request)), {
    response: { 200: RefreshedApps },
    detail: { summary: 'Ask the store for the apps and their states now' },
  })
  .post('/link', ({ request, body }) => linkApp(orgContext(request), body), {
    body: LinkBody,
    response: { 200: Linked },
    detail: { summary: 'Link a store app to an app, or unlink it' },
  });

export const storeRoutes = new Elysia()
  .use(connectionRoutes)
  .use(appsRoutes)
  .post(
    '/v1/apps/import',
    async ({ request, body, status }) => status(201, await importApp(orgContext(request), body)),
    {
      body: ImportBody,
      response: { 201: App },
      detail: { summary: 'Make an app of a store app', tags: ['Apps'] },
    },
  );
