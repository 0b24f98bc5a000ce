import type { SystemContext, Deps } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { type BackupAttempt, selectBackups, selectLastAttempt } from './scheduled-queries.ts';
export { backup } from './backup.ts';
export { checkUpgrade, type UpgradePlan } from './upgrade.ts';
export { copiesInBackups } from './copies.ts';
export { downgrade } from './downgrade.ts';
export { makeDueBackup, verifyDueBackup } from './make-due.ts';
export { inMegabytes } from './progress.ts';
export { describeGone } from './queries.ts';
export { upgrade } from './upgrade.ts';
export { verifyBackup } from './verify.ts';

type BackupsStand = { good: boolean; detail: string };

const PERIODS = 2;

export async function backupHealth({
  clock,
  config,
  sql,
}: Pick<Deps, 'clock' | 'config' | 'sql'>): Promise<BackupsStand | null> {
  if (config.backups === null) return null;
  const { to, everyMs } = config.backups;
  const { goodAt, failedAt, leftOut, wholeAt } = await selectBackups(sql, to, clock());
  if (goodAt === null) {
    // The first attempt, and its row, come within a minute of the start.
    const detail = 'No backup has been finished yet; the log of the worker says why.';
    return failedAt === null || clock().getTime() - failedAt.getTime() < everyMs / PERIODS / 2
      ? { good: true, detail: 'The first backup is being made.' }
      : { good: false, detail };
  }
  const good = clock().getTime() - goodAt.getTime() < PERIODS * everyMs;
  const kept = wholeAt && `; the last whole one, of ${toIso(wholeAt)}, stays`;
  const without = leftOut > 0 ? ` without ${leftOut} damaged files${kept ?? ''}` : '';
  const last = `The last good backup is of ${toIso(goodAt)}${without}`;
  return { good, detail: good ? `${last}.` : `${last}: the log of the worker says why.` };
}

type LastBackups = {
  everyHours: number;
  goodAt: Date | null;
  attempt: BackupAttempt | null;
};

export async function lastBackups({
  clock,
  config,
  sql,
}: Pick<Deps, 'clock' | 'config' | 'sql'>): Promise<LastBackups | null> {
  if (config.backups === null) return null;
  const { to, everyMs } = config.backups;
  const [{ goodAt }, attempt] = await Promise.all([
    selectBackups(sql, to, clock()),
    selectLastAttempt(sql, to),
  ]);
  return { everyHours: everyMs / HOUR_MS, goodAt, attempt };
}

const ADDRESS = /^(s3:\/\/[^/]+|file:\/\/\/)/;
const asFolder = (address: string) => `${address.replace(/\/+$/, '')}/`;

/** Never swept, so neither the place of events nor of scheduled backups. */
export function parseFilesTo(
  { deps: { config } }: SystemContext<'config'>,
  filesTo: string | undefined,
): string | undefined {
  if (filesTo === undefined) return undefined;
  if (!ADDRESS.test(filesTo)) {
    throw new AppError('invalid_input', '--files-to: must be s3://… or file:///…');
  }
  const place = asFolder(filesTo);
  const isSwept =
    place === asFolder(config.events.url) ||
    (config.backups !== null && place.startsWith(asFolder(config.backups.to)));
  if (isSwept) {
    throw new AppError('invalid_input', '--files-to: files are removed from there', {
      hint: 'Name a place that is neither EVENTS_URL nor below BACKUP_TO.',
    });
  }
  return place.slice(0, -1);
}
