import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { downgrade, parseFilesTo, upgrade } from '../../modules/backup/index.ts';
import { defineCommand } from '../command.ts';
import { FilesTo } from '../files-to.ts';
import { LimitMinutes, withinMinutes } from '../progress.ts';

export const upgradeCommand = defineCommand({
  name: 'upgrade',
  summary: 'Make a verified backup, then bring the data to this release',
  input: Type.Object({
    dir: Type.String({ description: 'An empty or new folder for the backup' }),
    filesTo: FilesTo,
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  standsAlone: true,
  run: async (ctx, { dir, filesTo, limitMinutes }) => {
    const path = resolve(dir);
    const data = await withinMinutes(limitMinutes, (reporting) =>
      upgrade(ctx, path, { ...reporting, filesTo: parseFilesTo(ctx, filesTo) }),
    );
    const { applied, files, isReadableBefore } = data;
    if (applied.length === 0) {
      return { data, text: `Nothing to do: the data is of this release, with ${files} files.` };
    }
    const back = `To go back: bun run admin downgrade ${path} --keep DIR`;
    return {
      data,
      text: [
        `${path} holds a verified backup from before. Applied ${applied.join(', ')}.`,
        `All ${files} files of the catalogue are in their place. Start this release now.`,
        isReadableBefore
          ? 'To go back, start the previous release again: it works on this data.'
          : back,
      ].join('\n'),
    };
  },
});

export const downgradeCommand = defineCommand({
  name: 'downgrade',
  summary: 'Go back to the release from before an upgrade, with the backup that it made',
  input: Type.Object({
    dir: Type.String({ description: 'The folder of the backup that the upgrade made' }),
    keep: Type.String({ description: 'A folder for a backup of the present data' }),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  standsAlone: true,
  run: async (ctx, { dir, keep, limitMinutes }) => {
    const paths = { dir: resolve(dir), keep: resolve(keep) };
    const data = await withinMinutes(limitMinutes, (reporting) => downgrade(ctx, paths, reporting));
    return {
      data,
      text: data.isRestored
        ? [
            `The data is as it was at ${data.createdAt}; everything since is in ${paths.keep}.`,
            'Start the previous release now.',
          ].join('\n')
        : 'Nothing was changed: the previous release works on this data. Start it now.',
    };
  },
});
