import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { memberContext } from '../../../http/people.ts';
import { orgContext } from '../../../http/state.ts';
import { createOwnKey, listKeys, revokeKey } from './keys.ts';
import { CreatedKey, NewKey, OrganizationKey } from './model.ts';

export const organizationKeysRoutes = new Elysia({
  prefix: '/v1/organization/keys',
  detail: { tags: ['Organization keys'] },
})
  .get('', ({ request }) => listKeys(orgContext(request)), {
    response: { 200: Type.Array(OrganizationKey) },
    detail: { summary: "List the organization's keys, revoked ones included" },
  })
  .post(
    '',
    async ({ request, body, status }) =>
      status(201, await createOwnKey(memberContext(request), body)),
    {
      body: NewKey,
      response: { 201: CreatedKey },
      detail: { summary: 'Make an organization key; its secret is shown this once' },
    },
  )
  .delete(
    '/:keyId',
    async ({ request, params, set }) => {
      await revokeKey(orgContext(request), params);
      set.status = 204;
    },
    { response: { 204: Type.Void() }, detail: { summary: 'Revoke an organization key' } },
  );
