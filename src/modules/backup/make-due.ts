import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SystemContext } from '../../context.ts';
import { readInstallation } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { bucketTarget } from './bucket-target.ts';
import { describeGone, GONE } from './describe-gone.ts';
import { goneMark } from './gone-queries.ts';
import { folderTarget } from './folder-target.ts';
import {
  endBackup,
  insertBackup,
  type ScheduledBackups,
  selectBackups,
  selectLastGood,
} from './scheduled-queries.ts';
import { backupName, type BackupTarget, type TargetContext } from './target.ts';

/** Several installations may share a place. */
function openTarget(ctx: TargetContext, url: string, installationId: string): BackupTarget {
  return new URL(url).protocol === 'file:'
    ? folderTarget(ctx, join(fileURLToPath(url), installationId))
    : bucketTarget(ctx, url, installationId);
}

type Schedule = { everyMs: number };

const pauseMs = ({ everyMs }: Schedule): number => Math.min(HOUR_MS, everyMs);

const since = (at: Date | null, now: Date) =>
  at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime();

export function isDue(found: ScheduledBackups, schedule: Schedule, now: Date): boolean {
  const { goodAt, failedAt } = found;
  return since(goodAt, now) >= schedule.everyMs && since(failedAt, now) >= pauseMs(schedule);
}

const checkedAt = new Map<string, number>();

/** Marks an incomplete last good backup as failed. */
async function checkLastGood(
  { deps: { clock, log, sql } }: SystemContext<'clock' | 'log' | 'sql'>,
  { place, target, ...schedule }: Schedule & { place: string; target: BackupTarget },
): Promise<void> {
  const nowMs = clock().getTime();
  const sinceMs = nowMs - (checkedAt.get(place) ?? Number.NEGATIVE_INFINITY);
  if (sinceMs < pauseMs(schedule)) return;
  const last = await selectLastGood(sql, place);
  if (last === null) return;
  checkedAt.set(place, nowMs);
  try {
    await target.check(backupName(last.beganAt));
  } catch (err) {
    const isBroken = err instanceof AppError && ['conflict', 'not_found'].includes(err.code);
    if (!isBroken) {
      log.warn({ err }, 'the last good backup could not be looked at');
      return;
    }
    log.error({ err, backupId: last.backupId }, 'the last good backup is no longer whole');
    await endBackup(sql, last.backupId, { endedAt: clock(), error: String(err) });
  }
}

const noted = new Map<string, string>();

async function noteGone(
  { deps: { log, sql } }: SystemContext<'log' | 'sql'>,
  { place, target }: { place: string; target: BackupTarget },
): Promise<void> {
  const mark = await goneMark(sql);
  if (noted.get(place) === mark) return;
  await target.note(GONE, await describeGone(sql)).then(
    () => noted.set(place, mark),
    (err: unknown) => log.error({ err }, 'the list of erasures could not be written'),
  );
}

/** Under the caller's lock, a `running` attempt is that of a dead process. */
export async function makeDueBackup(
  ctx: SystemContext<'clock' | 'config' | 'log' | 'objects' | 'sql'>,
  signal?: AbortSignal,
): Promise<'made' | 'failed' | 'not_due'> {
  const { clock, config, log, sql } = ctx.deps;
  if (config.backups === null) return 'not_due';
  const { to: place, keep, everyMs } = config.backups;
  const target = openTarget(ctx, place, (await readInstallation(sql)).id);
  await noteGone(ctx, { place, target });
  await checkLastGood(ctx, { place, target, everyMs });
  const beganAt = clock();
  if (!isDue(await selectBackups(sql, place), { everyMs }, beganAt)) return 'not_due';
  const backupId = newId('bkp');
  await insertBackup(sql, { backupId, place, beganAt });
  try {
    const bytes = await target.make(backupName(beganAt), signal ? { signal } : {});
    await endBackup(sql, backupId, { endedAt: clock(), bytes });
    log.info({ backupId, beganAt: toIso(beganAt), bytes }, 'backup made and verified');
  } catch (err) {
    log.error({ err, backupId }, 'backup failed; retrying within an hour');
    await endBackup(sql, backupId, { endedAt: clock(), error: String(err) });
    return 'failed';
  }
  // A failed sweep does not spoil the backup.
  await target.keep(keep).catch((err: unknown) => {
    log.warn({ err }, 'old backups could not be removed');
  });
  return 'made';
}
