import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { backup } from '../../modules/backup/backup.ts';
import { defineCommand } from '../command.ts';

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write the database and the event files to an empty folder',
  input: Type.Object({ dir: Type.String({ description: 'A folder that is empty or not there' }) }),
  positionals: ['dir'],
  run: async (ctx, { dir }) => {
    const path = resolve(dir);
    const { createdAt, database, segments, objects } = await backup(ctx, path);
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const data = {
      dir: path,
      createdAt,
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
