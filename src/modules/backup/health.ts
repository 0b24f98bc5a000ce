import type { Deps } from '../../context.ts';
import { toIso } from '../../shared/time.ts';
import { selectBackups } from './scheduled-queries.ts';

type BackupsStand = { good: boolean; detail: string };

const PERIODS = 2;

/** Null without a schedule. */
export async function backupHealth({
  clock,
  config,
  sql,
}: Pick<Deps, 'clock' | 'config' | 'sql'>): Promise<BackupsStand | null> {
  if (config.backups === null) return null;
  const { to, everyMs } = config.backups;
  const { goodAt, failedAt } = await selectBackups(sql, to);
  if (goodAt === null) {
    // The first attempt, and its row, come within a minute of the start.
    const detail = 'No backup has been finished yet; the log of the worker says why.';
    return failedAt === null || clock().getTime() - failedAt.getTime() < everyMs / PERIODS / 2
      ? { good: true, detail: 'The first backup is being made.' }
      : { good: false, detail };
  }
  const good = clock().getTime() - goodAt.getTime() < PERIODS * everyMs;
  const last = `The last good backup is of ${toIso(goodAt)}`;
  return { good, detail: good ? `${last}.` : `${last}: the log of the worker says why.` };
}
