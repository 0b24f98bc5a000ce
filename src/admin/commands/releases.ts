import { resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { downgrade, filesToOf, upgrade } from '../../modules/backup/index.ts';
import { defineCommand } from '../command.ts';
import { FilesTo } from '../files-to.ts';
import { LimitMinutes, withinMinutes } from '../progress.ts';

export const upgradeCommand = defineCommand({
  name: 'upgrade',
  summary: 'Make a verified backup, then bring the data to this release',
  input: Type.Object({
    dir: Type.String({ description: 'A folder for the backup that is empty or not there' }),
    filesTo: FilesTo,
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  standsAlone: true,
  run: async (ctx, { dir, filesTo, limitMinutes }) => {
    const path = resolve(dir);
    const data = await withinMinutes(limitMinutes, (reporting) =>
      upgrade(ctx, path, { ...reporting, filesTo: filesToOf(ctx, filesTo) }),
    );
    const { applied, files, isReadableBefore } = data;
    if (applied.length === 0) {
      return { data, text: `Nothing to do: the data is of this release, with ${files} files.` };
    }
    const back = `The way back: bun run admin downgrade ${path} --keep DIR`;
    return {
      data,
      text: [
        `${path} holds a verified backup of before. Applied ${applied.join(', ')}.`,
        `All ${files} files of the catalogue are in their place. Start this release now.`,
        isReadableBefore
          ? 'The way back: start the release of before again, it works on this data.'
          : back,
      ].join('\n'),
    };
  },
});

export const downgradeCommand = defineCommand({
  name: 'downgrade',
  summary: 'Go back to the release whose data an upgrade has put into a backup',
  input: Type.Object({
    dir: Type.String({ description: 'The folder of the backup that the upgrade made' }),
    keep: Type.String({ description: 'A folder for a backup of what is there now' }),
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
            `The data is as it was at ${data.createdAt}; what has come since is in ${paths.keep}.`,
            'Start the release of before now.',
          ].join('\n')
        : 'Nothing was changed: the release of before works on this data. Start it now.',
    };
  },
});
