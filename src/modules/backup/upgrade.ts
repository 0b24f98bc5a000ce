import type { SystemContext } from '../../context.ts';
import { livePaths } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { generationOf, migrate, missingMigrations } from '../../storage/migrate.ts';
import { findMinRelease } from '../../storage/release.ts';
import { backup } from './backup.ts';
import { missingFiles } from './files.ts';
import type { Reporting } from './progress.ts';
import { selectRunningProcesses } from './queries.ts';
import { verifyBackup } from './verify.ts';

export type Upgraded = {
  /** Migrations that were applied; none where the data was this release's already. */
  applied: string[];
  /** The verified backup of before; null where nothing was to be done. */
  dir: string | null;
  /** Event files and key runs of the catalogue, each of which is in its place. */
  files: number;
  /** Whether the release of before goes on working on the data as it is now. */
  isReadableBefore: boolean;
};

/** Throws `conflict` while processes of the service are connected to the database. */
export async function requireStopped({ deps }: SystemContext<'sql'>, why: string): Promise<void> {
  const running = await selectRunningProcesses(deps.sql);
  if (running.length === 0) return;
  throw new AppError('conflict', `The service runs (${running.join(', ')}). ${why}`, {
    hint: 'Stop it on every host, then try again.',
  });
}

/** Throws `unavailable` unless every file of the catalogue is in its place. */
async function checkFiles({ deps }: SystemContext<'objects' | 'sql'>): Promise<number> {
  const present = (await deps.objects.list('')).map(({ key }) => key);
  const missing = await missingFiles(deps.sql, present);
  if (missing.length === 0) return (await livePaths(deps.sql)).length;
  throw new AppError('unavailable', `${missing.length} event files of the catalogue are missing.`, {
    hint: `The first is ${missing[0]}. Nothing was changed; bring them back first.`,
  });
}

/**
 * Brings the data of an earlier release to this one: looks whether everything is there, makes and
 * verifies a backup in `dir`, then migrates and looks again. Throws before anything is changed.
 */
export async function upgrade(
  ctx: SystemContext<'clock' | 'config' | 'objects' | 'sql'>,
  dir: string,
  options: Reporting & { filesTo?: string | undefined } = {},
): Promise<Upgraded> {
  const { sql } = ctx.deps;
  const missing = await missingMigrations(sql);
  const files = await checkFiles(ctx);
  if (missing.length === 0) return { applied: [], dir: null, files, isReadableBefore: true };
  const before = await findMinRelease(sql);
  const isReadableBefore = (await generationOf(missing)) <= before;
  if (!isReadableBefore) {
    await requireStopped(ctx, 'The release of before cannot work on what this one writes.');
  }
  await backup(ctx, dir, options);
  await verifyBackup(ctx, dir, options);
  const applied = await migrate(sql);
  return { applied, dir, files: await checkFiles(ctx), isReadableBefore };
}
