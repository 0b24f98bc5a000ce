import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { organizationKeyExists } from '../index.ts';
import { createOwnKey, listKeys, revokeKey } from './keys.ts';
import { CreatedKey, NewKey, OrganizationKey } from './model.ts';

export const organizationKeysRoutes = new Elysia({
  prefix: '/v1/organization/keys',
  detail: { tags: ['Organization keys'] },
})
  .use(access)
  .get('', ({ ctx }) => listKeys(ctx), {
    forMember: { roles: MANAGERS },
    response: { 200: Type.Array(OrganizationKey) },
    detail: { summary: "List the organization's keys, revoked ones included" },
  })
  .post('', async ({ ctx, body, status }) => status(201, await createOwnKey(ctx, body)), {
    forMember: { roles: MANAGERS, errors: ['conflict'] },
    body: NewKey,
    response: { 201: CreatedKey },
    detail: { summary: 'Make an organization key; its secret is shown this once' },
  })
  .delete(
    '/:keyId',
    async ({ ctx, params, set }) => {
      await revokeKey(ctx, params);
      set.status = 204;
    },
    {
      forMember: { roles: MANAGERS, owns: { keyId: organizationKeyExists } },
      response: { 204: Type.Void() },
      detail: { summary: 'Revoke an organization key' },
    },
  );
