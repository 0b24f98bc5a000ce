import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { appContext } from '../../http/state.ts';
import { createKey, listKeys, revokePublishableKey } from './keys.ts';
import { CreatedKey, CreateKeyBody, PublishableKey } from './model.ts';

export const keysRoutes = new Elysia({
  prefix: '/v1/apps/:id/keys',
  detail: { tags: ['Publishable keys'] },
})
  .get('', ({ request }) => listKeys(appContext(request)), {
    response: { 200: Type.Array(PublishableKey) },
    detail: { summary: 'List the publishable keys of an app, revoked ones included' },
  })
  .post(
    '',
    async ({ request, body, status }) =>
      status(201, await createKey(appContext(request), body ?? {})),
    {
      body: CreateKeyBody,
      response: { 201: CreatedKey },
      detail: { summary: 'Make a publishable key; its secret is shown this once' },
    },
  )
  .delete(
    '/:keyId',
    async ({ request, params, set }) => {
      await revokePublishableKey(appContext(request), params);
      set.status = 204;
    },
    {
      response: { 204: Type.Void() },
      detail: { summary: 'Revoke a publishable key; it stays in the list' },
    },
  );
