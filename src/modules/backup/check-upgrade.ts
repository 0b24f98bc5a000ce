import type { SystemContext } from '../../context.ts';
import { findMigrationWork, type TableWork } from '../../storage/migration-work.ts';
import { missingMigrations, requiredGeneration } from '../../storage/migrate.ts';
import { findMinRelease } from '../../storage/release.ts';
import * as queries from './queries.ts';

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
    running: await queries.selectRunningProcesses(sql),
  };
}
