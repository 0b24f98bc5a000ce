import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { created, removed } from '../../../http/acts.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { CreatedKey, NewKey, OrganizationKey } from '../model/organization-key.ts';
import { createOwnKey, listKeys, organizationKeyExists, revokeKey } from './keys.ts';

export const organizationKeysRoutes = taggedRoutes('Organization keys', '/v1/organization/keys')
  .get('', ({ ctx }) => listKeys(ctx), {
    forMember: { roles: MANAGERS },
    response: { 200: Type.Array(OrganizationKey) },
    detail: {
      operationId: 'listOrganizationKeys',
      summary: "List the organization's keys, revoked ones included",
      description:
        'With who made each and when it was last used, to the minute; never their secrets.',
    },
  })
  .post('', created(createOwnKey), {
    forMember: { roles: MANAGERS, errors: ['conflict'] },
    body: NewKey,
    response: { 201: CreatedKey },
    detail: {
      operationId: 'createOrganizationKey',
      summary: 'Make an organization key; its secret is shown this once',
      description:
        'For servers, never inside an app. A key cannot hold more permissions than its maker.',
    },
  })
  .delete('/:keyId', removed(revokeKey), {
    forMember: { roles: MANAGERS, owns: { keyId: organizationKeyExists } },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'revokeOrganizationKey',
      summary: 'Revoke an organization key',
      description: 'Refused within 5 seconds everywhere; the key stays in the list.',
    },
  });
