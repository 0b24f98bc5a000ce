import type { Deps } from '../../context.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { type BackupAttempt, selectBackups, selectLastAttempt } from './scheduled-queries.ts';

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
