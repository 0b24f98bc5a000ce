import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SystemContext } from '../../context.ts';
import { readInstallation } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { DAY_MS, HOUR_MS, toIso } from '../../shared/time.ts';
import { bucketTarget } from './bucket-target.ts';
import { folderTarget } from './folder-target.ts';
import { describeGone, GONE, goneMark } from './queries.ts';
import * as queries from './scheduled-queries.ts';
import { type BackupTarget, backupName, type TargetContext } from './target.ts';

function openTarget(ctx: TargetContext, url: string, installationId: string): BackupTarget {
  return new URL(url).protocol === 'file:'
    ? folderTarget(ctx, join(fileURLToPath(url), installationId))
    : bucketTarget(ctx, url, installationId);
}

type Schedule = { everyMs: number };

const pauseMs = ({ everyMs }: Schedule): number => Math.min(HOUR_MS, everyMs);

const since = (at: Date | null, now: Date) =>
  at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime();

export function isDue(found: queries.ScheduledBackups, schedule: Schedule, now: Date): boolean {
  const { goodAt, failedAt } = found;
  return since(goodAt, now) >= schedule.everyMs && since(failedAt, now) >= pauseMs(schedule);
}

const checkedAt = new Map<string, number>();
const VERIFIED_FOR_MS = 7 * DAY_MS;

type Checking = { place: string; target: BackupTarget };

async function markUnlessWhole(
  { deps: { clock, log, sql } }: SystemContext<'clock' | 'log' | 'sql'>,
  { backupId, beganAt }: { backupId: string; beganAt: Date },
  check: (name: string) => Promise<void>,
  isStillKept = async () => true,
): Promise<void> {
  try {
    await check(backupName(beganAt));
  } catch (err) {
    const isBroken = err instanceof AppError && ['conflict', 'not_found'].includes(err.code);
    if (!isBroken) {
      log.warn({ err }, 'a good backup could not be looked at');
      return;
    }
    if (!(await isStillKept())) return;
    log.error({ err, backupId }, 'a good backup is no longer whole');
    await queries.endBackup(sql, backupId, { endedAt: clock(), error: String(err) });
  }
}

async function checkLastGood(
  ctx: SystemContext<'clock' | 'log' | 'sql'>,
  { place, target, ...schedule }: Schedule & Checking,
): Promise<void> {
  const nowMs = ctx.deps.clock().getTime();
  const sinceMs = nowMs - (checkedAt.get(place) ?? Number.NEGATIVE_INFINITY);
  if (sinceMs < pauseMs(schedule)) return;
  const last = await queries.selectLastGood(ctx.deps.sql, place);
  if (last === null) return;
  checkedAt.set(place, nowMs);
  await markUnlessWhole(ctx, last, target.check);
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
  if (!isDue(await queries.selectBackups(sql, place, beganAt), { everyMs }, beganAt))
    return 'not_due';
  const backupId = newId('bkp');
  await queries.insertBackup(sql, { backupId, place, beganAt });
  try {
    const made = await target.make(backupName(beganAt), signal ? { signal } : {});
    await queries.endBackup(sql, backupId, { endedAt: clock(), ...made });
    log.info({ backupId, beganAt: toIso(beganAt), ...made }, 'backup made and verified');
  } catch (err) {
    log.error({ err, backupId }, 'backup failed; retrying within an hour');
    await queries.endBackup(sql, backupId, { endedAt: clock(), error: String(err) });
    return 'failed';
  }
  await target.keep(keep).catch((err: unknown) => {
    log.warn({ err }, 'old backups could not be removed');
  });
  return 'made';
}

/** Apart from the making of backups, which a long one would delay. */
export async function verifyDueBackup(
  ctx: TargetContext & SystemContext<'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { clock, config, sql } = ctx.deps;
  if (config.backups === null) return;
  const { to: place, keep } = config.backups;
  const at = clock();
  const before = new Date(at.getTime() - VERIFIED_FOR_MS);
  const due = await queries.takeUnverified(sql, { place, keep, at, before });
  if (due === null) return;
  const target = openTarget(ctx, place, (await readInstallation(sql)).id);
  await markUnlessWhole(
    ctx,
    due,
    (name) => target.verify(name, signal),
    () => queries.isKept(sql, { place, keep }, due.backupId),
  );
  if (signal?.aborted) await queries.forgetVerified(sql, due.backupId);
}
