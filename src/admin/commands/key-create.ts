import { Type } from '@sinclair/typebox';
import { createKey, findOwner, NewKey } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';
import { notFoundNamed } from '../not-found.ts';

export const keyCreateCommand = defineCommand({
  name: 'key create',
  summary: 'Create an organization key; it is shown once',
  input: Type.Object({
    org: Type.String({ description: 'Id of the organization' }),
    name: { ...NewKey.properties.name, description: 'Name of the key, 1 to 60 characters' },
    permissions: {
      ...NewKey.properties.permissions,
      description: 'Separated by commas, such as app:read,analytics:read',
    },
  }),
  run: async (ctx, { org, name, permissions }) => {
    const owner = await findOwner(ctx.deps.sql, org);
    if (!owner) throw notFoundNamed('organization', org);
    const data = await createKey(ctx, { orgId: org, userId: owner.userId, name, permissions });
    return { data, text: `${data.secret}\n\nKey ${data.key.id}; it is not shown again.` };
  },
});
