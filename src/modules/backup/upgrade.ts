import type { SystemContext } from '../../context.ts';
import { livePaths } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { requiredGeneration, migrate, missingMigrations } from '../../storage/migrate.ts';
import { findMigrationWork, type TableWork } from '../../storage/migration-work.ts';
import { findMinRelease } from '../../storage/release.ts';
import { backup } from './backup.ts';
import { missingFiles } from './files.ts';
import type { Reporting } from './progress.ts';
import * as queries from './queries.ts';
import { findRunningProcesses } from './running.ts';
import { verifyBackup } from './verify.ts';

const BACKUP_SPEED = 40_000_000;
const REWRITE_SPEED = 20_000_000;

export type UpgradePlan = {
  migrations: string[];
  tables: TableWork[];
  formats: queries.FileFormat[];
  databaseBytes: number;
  backupSeconds: number;
  lockSeconds: number;
  isReadableBefore: boolean;
  running: string[];
};

export async function checkUpgrade({ deps }: SystemContext<'sql'>): Promise<UpgradePlan> {
  const { sql } = deps;
  const migrations = await missingMigrations(sql);
  const tables = await findMigrationWork(sql, migrations);
  const formats = await queries.selectFileFormats(sql);
  const databaseBytes = await queries.selectSize(sql);
  const rewritten = tables.reduce((sum, one) => sum + (one.isRewritten ? one.bytes : 0), 0);
  const fileBytes = formats.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    migrations,
    tables,
    formats,
    databaseBytes,
    backupSeconds: Math.ceil((2 * (databaseBytes + fileBytes)) / BACKUP_SPEED),
    lockSeconds: Math.ceil(rewritten / REWRITE_SPEED + migrations.length / 20),
    isReadableBefore: (await requiredGeneration(migrations)) <= (await findMinRelease(sql)),
    running: await findRunningProcesses(sql),
  };
}

export type Upgraded = {
  applied: string[];
  dir: string | null;
  files: number;
  isReadableBefore: boolean;
};

/** Throws `conflict` while service processes are connected. */
export async function requireStopped({ deps }: SystemContext<'sql'>, why: string): Promise<void> {
  const running = await findRunningProcesses(deps.sql);
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
