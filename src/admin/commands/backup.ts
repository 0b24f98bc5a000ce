import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { backup, verifyBackup } from '../../modules/backup/index.ts';
import { defineCommand } from '../command.ts';
import { withinMinutes } from '../progress.ts';

export const USUAL_LIMIT_MINUTES = 12 * 60;

export const LimitMinutes = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: `Ends it after so many minutes; ${USUAL_LIMIT_MINUTES} when left out`,
  }),
);

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write the database and the event files to an empty folder',
  input: Type.Object({
    dir: Type.String({ description: 'A folder that is empty or not there' }),
    verify: Type.Optional(Type.Boolean({ description: 'Read it back when it is written' })),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  run: async (ctx, { dir, verify, limitMinutes = USUAL_LIMIT_MINUTES }) => {
    const path = resolve(dir);
    const made = await withinMinutes(limitMinutes, async (patience) => {
      const manifest = await backup(ctx, path, patience);
      if (verify) await verifyBackup(path, patience);
      return manifest;
    });
    const { createdAt, cut, database, segments, objects } = made;
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const data = {
      dir: path,
      createdAt,
      cut,
      tables: database.tables.length,
      rows,
      segments: segments.length,
      objects: objects?.length ?? null,
    };
    const files = objects === null ? 'The bucket of EVENTS_URL' : `${objects.length} files`;
    return {
      data,
      text: [
        `${path} holds ${data.tables} tables with ${rows} rows as of ${createdAt}.`,
        objects === null
          ? `${files} is not in it: back it up by its own means.`
          : `${files} of events and reports, ${segments.length} segments of the event log.`,
        'SECRETS_KEY is not in it (DATA_DIR/secrets/secrets-key where it was generated): keep it',
        'elsewhere, without it the stored credentials cannot be read.',
      ].join('\n'),
    };
  },
});
