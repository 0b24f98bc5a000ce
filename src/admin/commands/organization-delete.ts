import { Type } from '@sinclair/typebox';
import { deleteOrganization } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';

export const organizationDeleteCommand = defineCommand({
  name: 'organization delete',
  summary: 'Delete an organization and everything that it owns',
  input: Type.Object({
    org: Type.String({ description: 'Id of the organization' }),
    confirm: Type.String({ description: 'Its slug, typed to confirm' }),
  }),
  run: async (ctx, { org, confirm }) => {
    const data = await deleteOrganization(ctx, { orgId: org, confirm, requestedBy: 'operator' });
    return { data, text: `Deleted ${data.name}. ${data.note}` };
  },
});
