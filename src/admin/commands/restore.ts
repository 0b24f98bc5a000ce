import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { restore } from '../../modules/backup/index.ts';
import { defineCommand } from '../command.ts';
import { withinMinutes } from '../progress.ts';
import { LimitMinutes, USUAL_LIMIT_MINUTES } from './backup.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Put a backup into a new installation',
  input: Type.Object({
    dir: Type.String({ description: 'The folder of the backup' }),
    inPlace: Type.Optional(
      Type.Boolean({
        description: 'Take EVENTS_URL over from the installation of the backup, which is gone',
      }),
    ),
    filesFrom: Type.Optional(
      Type.String({ description: 'Copy event files from here: s3://… or file:///…, only read' }),
    ),
    withoutMissingFiles: Type.Optional(
      Type.Boolean({ description: 'Restore also when event files are lost for good' }),
    ),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  run: async (ctx, { dir, limitMinutes = USUAL_LIMIT_MINUTES, ...options }) => {
    const data = await withinMinutes(limitMinutes, (patience) =>
      restore(ctx, resolve(dir), { ...options, ...patience }),
    );
    return {
      data,
      text: [
        `Restored ${data.tables} tables with ${data.rows} rows, ${data.objects} files and`,
        `${data.segments} segments of the event log, as of ${data.createdAt}.`,
        data.migrated.length > 0 ? `Migrated beyond it: ${data.migrated.join(', ')}.` : '',
        'Restart the service now, with the SECRETS_KEY that the backup was made under.',
      ]
        .filter(Boolean)
        .join('\n'),
    };
  },
});
