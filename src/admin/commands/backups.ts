import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import * as backups from '../../modules/backup/index.ts';
import { holdService, type Restored, restore, settle } from '../../modules/backup/restore.ts';
import { defineCommand } from '../command.ts';
import { FilesTo } from '../files-to.ts';
import { LimitMinutes, withinMinutes } from '../progress.ts';

const countedFiles = (count: number | null) => (count === 1 ? '1 file' : `${count ?? 'no'} files`);

function countedSegments(count: number): string {
  if (count === 0) return 'no segment of the event log (all of it is in files)';
  return count === 1 ? '1 segment of the event log' : `${count} segments of the event log`;
}

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write the database and the event files to an empty folder',
  input: Type.Object({
    dir: Type.String({ description: 'An empty or new folder' }),
    verify: Type.Optional(Type.Boolean({ description: 'Read it back once it is written' })),
    filesTo: FilesTo,
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  run: async (ctx, { dir, verify, filesTo, limitMinutes }) => {
    const path = resolve(dir);
    const made = await withinMinutes(limitMinutes, async (reporting) => {
      const manifest = await backups.backup(ctx, path, {
        ...reporting,
        filesTo: backups.parseFilesTo(ctx, filesTo),
      });
      if (verify) await backups.verifyBackup(ctx, path, { ...reporting, isDeep: true });
      return manifest;
    });
    const { createdAt, cut, database, segments, objects, kept, leftOut = [] } = made;
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const data = {
      dir: path,
      createdAt,
      cut,
      tables: database.tables.length,
      rows,
      segments: segments.length,
      objects: objects?.length ?? kept?.files.length ?? null,
      filesAt: kept?.at ?? null,
      leftOut,
    };
    return {
      data,
      text: [
        `${path} holds ${data.tables} tables with ${rows} rows as of ${createdAt}.`,
        `${countedFiles(data.objects)} of events and reports, ${countedSegments(segments.length)}.`,
        ...leftOut.map((path) => `Left out, since it is damaged: ${path}.`),
        ...(kept ? [`The files are in ${kept.at}: the backup needs them there.`] : []),
        'SECRETS_KEY is not in it (DATA_DIR/secrets/secrets-key where it was generated): keep it',
        'elsewhere, without it the stored credentials cannot be read.',
      ].join('\n'),
    };
  },
});

export const backupVerifyCommand = defineCommand({
  name: 'backup verify',
  summary: 'Read a backup and compare every file with its checksum',
  input: Type.Object({
    dir: Type.String({ description: 'The folder of the backup' }),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  run: async (ctx, { dir, limitMinutes }) => {
    const path = resolve(dir);
    const data = await withinMinutes(limitMinutes, (reporting) =>
      backups.verifyBackup(ctx, path, { ...reporting, isDeep: true }),
    );
    const size = backups.inMegabytes(data.bytes);
    return {
      data,
      text: `${path} is complete: ${countedFiles(data.files)}, ${size}, as of ${data.createdAt}.`,
    };
  },
});

export const backupGoneCommand = defineCommand({
  name: 'backup gone',
  summary: 'Write who and what was erased, as hashes, for a restore of an earlier backup',
  input: Type.Object({ file: Type.String({ description: 'The file, outside of every backup' }) }),
  positionals: ['file'],
  run: async ({ deps }, { file }) => {
    const path = resolve(file);
    await writeFile(path, await backups.describeGone(deps.sql), { mode: 0o600 });
    return { data: { file: path }, text: `${path} says who and what was erased until now.` };
  },
});

const saidOfGone = (gone: Restored['gone'], withoutGone = false): string =>
  gone === null
    ? `WHO WAS ERASED SINCE IS BACK: there is no list of them. ${
        withoutGone
          ? 'Erase them again.'
          : 'Nothing is served until it is given: admin restore settle --gone FILE, or --without-gone.'
      }`
    : `Erased again since the backup: ${gone.people} ids, ${gone.apps} apps, ${gone.organizations} organizations.`;

const SETTLING = {
  gone: Type.Optional(
    Type.String({ description: 'Erase again what this file of "backup gone" says' }),
  ),
  withoutGone: Type.Optional(
    Type.Boolean({ description: 'Serve although whoever was erased since is back' }),
  ),
};

export const restoreSettleCommand = defineCommand({
  name: 'restore settle',
  summary: 'Let a restored service answer: erase again who was erased since',
  input: Type.Object(SETTLING),
  run: async (ctx, given) => {
    const gone = await settle(ctx, given);
    return { data: { gone }, text: saidOfGone(gone, given.withoutGone) };
  },
});

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into a new installation',
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
      Type.Boolean({ description: 'Restore even if event files are lost for good' }),
    ),
    ...SETTLING,
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  run: async (ctx, { dir, limitMinutes, ...options }) => {
    const release = await holdService(ctx, resolve(dir));
    const data = await withinMinutes(limitMinutes, (reporting) =>
      restore(ctx, resolve(dir), { ...options, ...reporting }),
    ).finally(release);
    return {
      data,
      text: [
        `Restored ${data.tables} tables with ${data.rows} rows, ${countedFiles(data.objects)} and`,
        `${countedSegments(data.segments)}, as of ${data.createdAt}.`,
        saidOfGone(data.gone, options.withoutGone),
        data.migrated.length > 0 ? `Migrated beyond it: ${data.migrated.join(', ')}.` : '',
        'Restart the service now, with the SECRETS_KEY that the backup was made under.',
      ]
        .filter(Boolean)
        .join('\n'),
    };
  },
});
