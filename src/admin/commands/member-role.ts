import { Type } from '@sinclair/typebox';
import { Email, setMemberRole } from '../../modules/identity/index.ts';
import { ROLES } from '../../shared/permissions.ts';
import { OneOf } from '../../shared/schema.ts';
import { defineCommand } from '../command.ts';
import { EXISTING } from './existing.ts';

export const memberRoleCommand = defineCommand({
  name: 'member role',
  summary: 'Give a person a role in an organization, as a new member where needed',
  input: Type.Object({
    org: Type.String({ description: 'Id of the organization' }),
    email: { ...Email, description: 'Address of an existing account' },
    role: OneOf(ROLES, { description: ROLES.join(', ') }),
    existing: EXISTING,
  }),
  run: async (ctx, { org, email, role, existing }) => {
    const data = await setMemberRole(ctx, { orgId: org, email, role, existing });
    return { data, text: `${data.email} is ${data.role} of ${org}.` };
  },
});
