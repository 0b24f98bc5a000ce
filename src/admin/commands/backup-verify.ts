import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { inMegabytes, verifyBackup } from '../../modules/backup/index.ts';
import { defineCommand } from '../command.ts';
import { withinMinutes } from '../progress.ts';
import { LimitMinutes, USUAL_LIMIT_MINUTES } from './backup.ts';

export const backupVerifyCommand = defineCommand({
  name: 'backup verify',
  summary: 'Read a backup and compare every file with its checksum',
  input: Type.Object({
    dir: Type.String({ description: 'The folder of the backup' }),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  run: async (_ctx, { dir, limitMinutes = USUAL_LIMIT_MINUTES }) => {
    const path = resolve(dir);
    const data = await withinMinutes(limitMinutes, (patience) => verifyBackup(path, patience));
    const size = inMegabytes(data.bytes);
    return {
      data,
      text: `${path} is whole: ${data.files} files, ${size}, as of ${data.createdAt}.`,
    };
  },
});
