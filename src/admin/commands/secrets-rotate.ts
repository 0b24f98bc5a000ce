import { Type } from '@sinclair/typebox';
import { SEALED_COLUMNS } from '../../app/chapters.ts';
import { rotateSecrets } from '../../modules/secrets/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const secretsRotateCommand = defineCommand({
  name: 'secrets rotate',
  summary: 'Seal every stored secret with the first key of SECRETS_KEY',
  input: Type.Object({}),
  run: async (ctx) => {
    const data = await rotateSecrets(ctx, SEALED_COLUMNS);
    const { rotated, current, unreadable } = data;
    const lines = [`${rotated} secrets sealed anew, ${current} were already.`];
    if (unreadable.length === 0) lines.push('The other keys of SECRETS_KEY can be dropped.');
    else {
      const rows = unreadable.map((record) => [record.orgId, record.table]);
      lines.push(`${unreadable.length} cannot be read with any key; keep looking for it:`);
      lines.push(table(['ORGANIZATION', 'TABLE'], rows));
    }
    return { data, text: lines.join('\n') };
  },
});
