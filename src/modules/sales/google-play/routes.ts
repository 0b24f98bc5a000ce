import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { GOOGLE_ERRORS } from '../../../shared/google-errors.ts';
import { Nullable } from '../../../shared/schema.ts';
import * as connection from './connection.ts';
import { ConnectPlayAccountBody, PlayAccount } from './model.ts';

const MANAGE = { permission: 'integration:manage' } as const;

export const googlePlayRoutes = taggedRoutes('Store', '/v1/store/google-play')
  .get('', ({ ctx }) => connection.getPlayAccount(ctx), {
    forOrganization: { permission: 'analytics:read' },
    response: { 200: Nullable(PlayAccount) },
    detail: {
      operationId: 'getGooglePlayAccount',
      summary: 'The account whose reports of Google Play are read, without its key',
      description: 'null where none is connected. `lastError` says what to do.',
    },
  })
  .put('', ({ ctx, body }) => connection.connectPlayAccount(ctx, body), {
    forOrganization: { ...MANAGE, errors: [...GOOGLE_ERRORS, 'secret_storage_unavailable'] },
    body: ConnectPlayAccountBody,
    response: { 200: PlayAccount },
    detail: {
      operationId: 'connectGooglePlayAccount',
      summary: 'Connect the reports of a Google Play account; they are listed first',
      description:
        'The key is kept sealed and never returned. Sales, earnings and installs of 25 months are read in the background, then every six hours.',
    },
  })
  .delete('', async ({ ctx, status }) => status(204, await connection.disconnectPlayAccount(ctx)), {
    forOrganization: MANAGE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'disconnectGooglePlayAccount',
      summary: 'Destroy the key of the reports; what was read stays',
      description: 'Nothing is read any more.',
    },
  })
  .post('/read', ({ ctx }) => connection.readPlayReportsNow(ctx), {
    forOrganization: { permission: 'analytics:sync', errors: ['store_not_connected'] },
    response: { 200: PlayAccount },
    detail: {
      operationId: 'readGooglePlayReports',
      summary: 'Read the reports of Google Play that changed now',
      description: 'Answers at once; reading goes on in the background.',
    },
  });
