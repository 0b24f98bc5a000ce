import type { Deps } from '../../context.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { type BackupAttempt, selectBackups, selectLastAttempt } from './scheduled-queries.ts';

type LastBackups = {
  everyHours: number;
  /** When the last one began that was made and verified; null before the first. */
  goodAt: Date | null;
  /** The newest attempt, whatever came of it; null before the first. */
  attempt: BackupAttempt | null;
};

/** When the scheduled backups were made last; null where none are wanted. */
export async function lastBackups({
  config,
  sql,
}: Pick<Deps, 'config' | 'sql'>): Promise<LastBackups | null> {
  if (config.backups === null) return null;
  const { to, everyMs } = config.backups;
  const [{ goodAt }, attempt] = await Promise.all([
    selectBackups(sql, to),
    selectLastAttempt(sql, to),
  ]);
  return { everyHours: everyMs / HOUR_MS, goodAt, attempt };
}
