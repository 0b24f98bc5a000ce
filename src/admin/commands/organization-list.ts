import { Type } from '@sinclair/typebox';
import { listAllOrganizations } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const organizationListCommand = defineCommand({
  name: 'organization list',
  summary: 'List the organizations of this service',
  input: Type.Object({}),
  run: async ({ deps }) => {
    const data = await listAllOrganizations(deps.sql);
    const rows = data.map(({ id, slug, name, createdAt }) => [id, slug, name, createdAt]);
    return { data, text: table(['ID', 'SLUG', 'NAME', 'CREATED'], rows) };
  },
});
