import { Type } from '@sinclair/typebox';
import { revokeKey } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';

export const keyRevokeCommand = defineCommand({
  name: 'key revoke',
  summary: 'Revoke an organization key; it is refused within 5 seconds',
  input: Type.Object({
    org: Type.String({ description: 'Id of the organization' }),
    key: Type.String({ description: 'Id of the key' }),
  }),
  run: async ({ deps }, { org, key }) => {
    await revokeKey({ deps, orgId: org }, { keyId: key });
    return { data: { revoked: key }, text: `Revoked ${key}.` };
  },
});
