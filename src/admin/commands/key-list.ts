import { Type } from '@sinclair/typebox';
import { listKeys } from '../../modules/identity/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const keyListCommand = defineCommand({
  name: 'key list',
  summary: 'List the keys of an organization, revoked ones included',
  input: Type.Object({ org: Type.String({ description: 'Id of the organization' }) }),
  run: async ({ deps }, { org }) => {
    const data = await listKeys({ deps, orgId: org });
    const rows = data.map((key) => [
      key.id,
      key.name,
      key.prefix,
      key.permissions.join(','),
      key.revokedAt === null ? 'active' : `revoked ${key.revokedAt}`,
      key.createdBy ?? '',
      key.lastUsedAt ?? '',
    ]);
    return {
      data,
      text: table(['ID', 'NAME', 'PREFIX', 'PERMISSIONS', 'STATE', 'MADE BY', 'LAST USED'], rows),
    };
  },
});
