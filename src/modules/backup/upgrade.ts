import type { SystemContext } from '../../context.ts';
import { livePaths } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { requiredGeneration, migrate, missingMigrations } from '../../storage/migrate.ts';
import { findMinRelease } from '../../storage/release.ts';
import { backup } from './backup.ts';
import { missingFiles } from './files.ts';
import type { Reporting } from './progress.ts';
import { selectRunningProcesses } from './queries.ts';
import { verifyBackup } from './verify.ts';

export type Upgraded = {
  applied: string[];
  dir: string | null;
  files: number;
  isReadableBefore: boolean;
};

/** Throws `conflict` while service processes are connected. */
export async function requireStopped({ deps }: SystemContext<'sql'>, why: string): Promise<void> {
  const running = await selectRunningProcesses(deps.sql);
  if (running.length === 0) return;
  throw new AppError('conflict', `The service runs (${running.join(', ')}). ${why}`, {
    hint: 'Stop it on every host, then try again.',
  });
}

/** Throws `unavailable` for a missing file of the catalogue. */
async function checkFiles({ deps }: SystemContext<'objects' | 'sql'>): Promise<number> {
  const present = (await deps.objects.list('')).map(({ key }) => key);
  const missing = await missingFiles(deps.sql, present);
  if (missing.length === 0) return (await livePaths(deps.sql)).length;
  throw new AppError('unavailable', `${missing.length} event files of the catalogue are missing.`, {
    hint: `The first is ${missing[0]}. Nothing was changed; bring them back first.`,
  });
}

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
  const isReadableBefore = (await requiredGeneration(missing)) <= before;
  if (!isReadableBefore) {
    await requireStopped(ctx, 'The release of before cannot work on what this one writes.');
  }
  await backup(ctx, dir, options);
  await verifyBackup(ctx, dir, options);
  const applied = await migrate(sql);
  return { applied, dir, files: await checkFiles(ctx), isReadableBefore };
}
