import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { created } from '../../../http/acts.ts';
import { App } from '../../../shared/app.ts';
import { Nullable } from '../../../shared/schema.ts';
import { connect, disconnect } from './connect.ts';
import { importApp, linkApp } from './import-app.ts';
import { getConnection, listStoreApps, refreshStoreApps } from './list.ts';
import * as model from './model.ts';

const STORE_ERRORS = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_agreement_required',
  'not_found',
  'store_rate_limited',
  'store_unavailable',
] as const;

export const storeRoutes = taggedRoutes('Store', '')
  .get('/v1/store/connection', ({ ctx }) => getConnection(ctx), {
    forOrganization: { permission: 'analytics:read' },
    response: { 200: Nullable(model.StoreConnection) },
    detail: {
      operationId: 'getStoreConnection',
      summary: 'Read the store connection, without its key',
      description: 'null where none is connected. `lastError` says what to do.',
    },
  })
  .post('/v1/store/connection', created(connect), {
    forOrganization: {
      permission: 'integration:manage',
      errors: [...STORE_ERRORS, 'secret_storage_unavailable', 'conflict'],
    },
    body: model.ConnectBody,
    response: { 201: model.Connected },
    detail: {
      operationId: 'connectStore',
      summary: 'Verify a store key with the store and connect it',
      description:
        'Kept sealed and never returned. Sales of the last year are collected in the background.',
    },
  })
  .delete('/v1/store/connection', async ({ ctx, status }) => status(204, await disconnect(ctx)), {
    forOrganization: { permission: 'integration:manage' },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'disconnectStore',
      summary: 'Destroy the store key; sales that were collected stay',
      description: 'Nothing is collected any more.',
    },
  })
  .get('/v1/store/apps', ({ ctx }) => listStoreApps(ctx), {
    forOrganization: { permission: 'analytics:read' },
    response: { 200: Type.Array(model.StoreAppLink) },
    detail: {
      operationId: 'listStoreApps',
      summary: 'List the apps of the store account, linked and unlinked',
      description: 'As they were last seen in the store; refresh asks it.',
    },
  })
  .post('/v1/store/apps/refresh', ({ ctx }) => refreshStoreApps(ctx), {
    forOrganization: {
      permission: 'integration:manage',
      errors: [...STORE_ERRORS, 'store_not_connected', 'secret_storage_unavailable'],
    },
    response: { 200: model.RefreshedApps },
    detail: {
      operationId: 'refreshStoreApps',
      summary: 'Ask the store for the apps and their states now',
      description: '`count` is how many apps the account has.',
    },
  })
  .post('/v1/store/apps/link', ({ ctx, body }) => linkApp(ctx, body), {
    forOrganization: {
      permission: 'integration:manage',
      errors: ['store_app_not_found', 'not_found'],
    },
    body: model.LinkBody,
    response: { 200: model.Linked },
    detail: {
      operationId: 'linkStoreApp',
      summary: 'Link a store app to an app, or unlink it',
      description: 'Sales of a linked store app are those of the app.',
    },
  })
  .post('/v1/apps/import', created(importApp), {
    forOrganization: {
      permission: 'app:update',
      errors: ['store_app_not_found', 'app_already_imported', 'store_not_configured', 'conflict'],
    },
    body: model.ImportBody,
    response: { 201: App },
    detail: {
      operationId: 'importApp',
      summary: 'Make an app of a store app',
      description: 'Name and bundle id come from the store, as they were last seen there.',
      tags: ['Apps'],
    },
  });
