import type { SystemContext } from '../../context.ts';
import { readInstallation } from '../../event-store/append.ts';
import { newId } from '../../shared/ids.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import {
  endBackup,
  insertBackup,
  type ScheduledBackups,
  selectBackups,
} from './scheduled-queries.ts';
import { backupName, openShelf } from './shelf.ts';

/** After a failure the next attempt comes this much later. */
const RETRY_MS = HOUR_MS;

type Schedule = { everyMs: number };

const since = (at: Date | null, now: Date) =>
  at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime();

/** A good one is old enough, and no attempt has failed just now. */
export function isDue(found: ScheduledBackups, { everyMs }: Schedule, now: Date): boolean {
  return since(found.goodAt, now) >= everyMs && since(found.failedAt, now) >= RETRY_MS;
}

/**
 * One look: makes the backup that is due, verifies it and removes those that are one too many. The
 * caller holds the lock, so an attempt that is still `running` belongs to a process that is gone.
 */
export async function makeDueBackup(
  ctx: SystemContext<'clock' | 'config' | 'log' | 'objects' | 'sql'>,
  signal?: AbortSignal,
): Promise<'made' | 'failed' | 'not_due'> {
  const { clock, config, log, sql } = ctx.deps;
  if (config.backups === null) return 'not_due';
  const { to: place, keep, everyMs } = config.backups;
  const beganAt = clock();
  if (!isDue(await selectBackups(sql, place), { everyMs }, beganAt)) return 'not_due';
  const backupId = newId('bkp');
  const shelf = openShelf(ctx, place, (await readInstallation(sql)).id);
  await insertBackup(sql, { backupId, place, beganAt });
  try {
    const bytes = await shelf.make(backupName(beganAt), signal ? { signal } : {});
    await endBackup(sql, backupId, { endedAt: clock(), bytes });
    log.info({ backupId, beganAt: toIso(beganAt), bytes }, 'backup made and verified');
  } catch (err) {
    log.error({ err, backupId }, 'backup failed; another is tried in an hour');
    await endBackup(sql, backupId, { endedAt: clock(), error: String(err) });
    return 'failed';
  }
  // A place that cannot be tidied up today still holds the backup.
  await shelf.keep(keep).catch((err: unknown) => {
    log.warn({ err }, 'old backups could not be removed');
  });
  return 'made';
}
