import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { removed } from '../../http/acts.ts';
import { publishableKeyExists } from './index.ts';
import { createKey, listKeys, revokePublishableKey } from './keys.ts';
import { CreatedKey, CreateKeyBody, PublishableKey } from './model.ts';

export const keysRoutes = taggedRoutes('Publishable keys', '/v1/apps/:id/keys')
  .get('', ({ ctx }) => listKeys(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Type.Array(PublishableKey) },
    detail: {
      operationId: 'listPublishableKeys',
      summary: 'List the publishable keys of an app, revoked ones included',
      description: 'Newest first; never their secrets.',
    },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createKey(ctx, body ?? {})), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: CreateKeyBody,
    response: { 201: CreatedKey },
    detail: {
      operationId: 'createPublishableKey',
      summary: 'Make a publishable key; its secret is shown this once',
      description:
        'Made for shipping inside an app: it sends events, asks for the onboarding to show and calls the purchase routes of this one app. With `kind: flags` it reads the flags of the app by OFREP, and nothing else.',
    },
  })
  .delete('/:keyId', removed(revokePublishableKey), {
    forApp: { permission: 'app:update', owns: { keyId: publishableKeyExists } },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'revokePublishableKey',
      summary: 'Revoke a publishable key; it stays in the list',
      description:
        'Refused within 5 seconds everywhere. Shipped apps that still send it are told to wait for an hour.',
    },
  });
