import { Type } from '@sinclair/typebox';
import { listMemberRows } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const memberListCommand = defineCommand({
  name: 'member list',
  summary: 'List the members of an organization',
  input: Type.Object({ org: Type.String({ description: 'Id of the organization' }) }),
  run: async ({ deps }, { org }) => {
    const data = await listMemberRows(deps.sql, org);
    const rows = data.map(({ userId, email, role, name }) => [userId, email, role, name]);
    return { data, text: table(['USER', 'EMAIL', 'ROLE', 'NAME'], rows) };
  },
});
