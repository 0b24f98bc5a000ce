import { join, resolve } from 'node:path';
import { Type } from '@sinclair/typebox';
import { existsSync, statSync } from 'node:fs';
import type { SystemContext } from '../../context.ts';
import * as backup from '../../modules/backup/index.ts';
import { defineCommand, type Outcome } from '../command.ts';
import { FilesTo } from '../files-to.ts';
import { UsageError } from '../options.ts';
import { LimitMinutes, withinMinutes } from '../progress.ts';
import { table } from '../table.ts';

function describeTemporal({ deps }: SystemContext): string {
  const path = join(deps.config.dataDir, 'temporal', 'temporal.db');
  return existsSync(path)
    ? `Temporal: its database (${backup.inMegabytes(statSync(path).size)}) is brought forward by its server at the start. If lost, it is made anew from PostgreSQL.`
    : 'Temporal: a server of your own. Its upgrade is not part of this one.';
}

function describePlan(plan: backup.UpgradePlan): string[] {
  const { migrations, tables, backupSeconds, lockSeconds, running } = plan;
  if (migrations.length === 0) return ['No migration is missing: start this release.'];
  const back = plan.isReadableBefore
    ? 'Way back: start the previous release again, it works on the data after the upgrade. The service may run meanwhile.'
    : `Way back: "bun run admin downgrade DIR --keep OTHER" with the backup of the upgrade. The service must be stopped${running.length > 0 ? ` (now running: ${running.join(', ')})` : ''}.`;
  return [
    `${migrations.length} migrations are missing: ${migrations[0]} to ${migrations.at(-1)}.`,
    table(
      ['table', 'waits', 'rewritten', 'size'],
      tables.map(({ table: name, waits, isRewritten, bytes }) => [
        name,
        waits === 'all' ? 'reads and writes' : 'writes',
        isRewritten ? 'yes, or an index' : 'no',
        backup.inMegabytes(bytes),
      ]),
    ),
    `One transaction: its locks are held for about ${lockSeconds} s (20 MB a second are rewritten).`,
    `A verified backup comes first: ${backup.inMegabytes(plan.databaseBytes)} of database and the event files, about ${backupSeconds} s.`,
    back,
  ];
}

async function check(ctx: SystemContext): Promise<Outcome> {
  const data = await backup.checkUpgrade(ctx);
  const formats = data.formats.map(({ format, files }) => `${files} of format ${format}`);
  const files = `Event files: ${formats.join(', ') || 'none'}. This release reads all of them; they stay as they are until they are merged.`;
  return { data, text: [...describePlan(data), files, describeTemporal(ctx)].join('\n') };
}

export const upgradeCommand = defineCommand({
  name: 'upgrade',
  summary: 'Make a verified backup, then bring the data to this release',
  input: Type.Object({
    dir: Type.Optional(Type.String({ description: 'An empty or new folder for the backup' })),
    check: Type.Optional(
      Type.Boolean({
        description: 'Only say what it would do, how long, and whether a way back exists',
      }),
    ),
    filesTo: FilesTo,
    limitMinutes: LimitMinutes,
  }),
  positionals: ['dir'],
  standsAlone: true,
  run: async (ctx, { dir, check: isCheck, filesTo, limitMinutes }) => {
    if (isCheck) return check(ctx);
    if (dir === undefined) throw new UsageError('DIR is missing.');
    const path = resolve(dir);
    const data = await withinMinutes(limitMinutes, (reporting) =>
      backup.upgrade(ctx, path, { ...reporting, filesTo: backup.parseFilesTo(ctx, filesTo) }),
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
    const data = await withinMinutes(limitMinutes, (reporting) =>
      backup.downgrade(ctx, paths, reporting),
    );
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
