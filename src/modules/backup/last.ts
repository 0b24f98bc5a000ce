import type { Deps } from '../../context.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { type BackupAttempt, selectBackups, selectLastAttempt } from './scheduled-queries.ts';

type LastBackups = {
  everyHours: number;
  goodAt: Date | null;
  attempt: BackupAttempt | null;
};

/** Null without a schedule. */
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
