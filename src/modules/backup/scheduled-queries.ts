import { HOUR_MS } from '../../shared/time.ts';
import { type Db, firstRow, hasRows, singleRow, done } from '../../storage/postgres.ts';

export type ScheduledBackups = {
  /** Everything before its start is in it. */
  goodAt: Date | null;
  failedAt: Date | null;
  wholeAt: Date | null;
  /** By the newest good one. */
  leftOut: number;
};

const ROWS_KEPT = 1_000;

const AHEAD_MS = HOUR_MS;

/** Without those of a clock that was far ahead. */
export const selectBackups = (db: Db, place: string, now: Date) =>
  singleRow(db<ScheduledBackups[]>`
    SELECT max(began_at) FILTER (WHERE state = 'good') AS "goodAt",
      max(began_at) FILTER (WHERE state <> 'good') AS "failedAt",
      max(began_at) FILTER (WHERE state = 'good' AND left_out = 0) AS "wholeAt",
      coalesce((array_agg(left_out ORDER BY began_at DESC) FILTER (WHERE state = 'good'))[1], 0)
        AS "leftOut"
    FROM backups
    WHERE place = ${place} AND began_at < ${new Date(now.getTime() + AHEAD_MS)}`);

export type BackupAttempt = { beganAt: Date; state: 'running' | 'good' | 'failed' };

export const selectLastAttempt = (db: Db, place: string) =>
  firstRow(db<BackupAttempt[]>`
    SELECT began_at AS "beganAt", state FROM backups
    WHERE place = ${place} ORDER BY began_at DESC, backup_id DESC LIMIT 1`);

export const selectLastGood = (db: Db, place: string) =>
  firstRow(db<Backup[]>`
    SELECT backup_id AS "backupId", began_at AS "beganAt" FROM backups
    WHERE place = ${place} AND state = 'good' ORDER BY began_at DESC LIMIT 1`);

type Place = { place: string; keep: number };

/** The newest `keep`, and the newest without a damaged file. */
const keptSql = (db: Db, { place, keep }: Place) => db`
  (SELECT * FROM backups WHERE place = ${place} AND state = 'good'
    ORDER BY began_at DESC LIMIT ${keep})
  UNION (SELECT * FROM backups WHERE place = ${place} AND state = 'good' AND left_out = 0
    ORDER BY began_at DESC LIMIT 1)`;

type Backup = { backupId: string; beganAt: Date };

/** The newest too, once a week: where fewer days are kept, none would get so old. */
export const takeUnverified = (
  db: Db,
  { at, before, ...place }: Place & { at: Date; before: Date },
) =>
  firstRow(db<Backup[]>`
    UPDATE backups SET verified_at = ${at} WHERE backup_id = (
      WITH kept AS (${keptSql(db, place)})
      SELECT backup_id FROM kept
      WHERE coalesce(verified_at, ended_at) < ${before} OR (
        began_at = (SELECT max(began_at) FROM kept) AND (
          SELECT coalesce(max(verified_at), min(ended_at)) FROM backups
          WHERE place = ${place.place}) < ${before})
      ORDER BY coalesce(verified_at, ended_at) LIMIT 1)
    RETURNING backup_id AS "backupId", began_at AS "beganAt"`);

export const isKept = (db: Db, place: Place, backupId: string) =>
  hasRows(db`SELECT FROM (${keptSql(db, place)}) kept WHERE backup_id = ${backupId}`);

export const forgetVerified = (db: Db, backupId: string) =>
  done(db`UPDATE backups SET verified_at = NULL WHERE backup_id = ${backupId}`);

export async function insertBackup(
  db: Db,
  row: { backupId: string; place: string; beganAt: Date },
): Promise<void> {
  await db`
    INSERT INTO backups (backup_id, place, state, began_at)
    VALUES (${row.backupId}, ${row.place}, 'running', ${row.beganAt})`;
  await db`
    DELETE FROM backups WHERE backup_id IN
      (SELECT backup_id FROM backups ORDER BY began_at DESC OFFSET ${ROWS_KEPT})`;
}

export async function endBackup(
  db: Db,
  backupId: string,
  ended: { endedAt: Date } & ({ bytes: number; leftOut: number } | { error: string }),
): Promise<void> {
  const made = 'error' in ended ? null : ended;
  await db`
    UPDATE backups SET state = ${made ? 'good' : 'failed'}, ended_at = ${ended.endedAt},
      bytes = ${made?.bytes ?? null}, left_out = ${made?.leftOut ?? 0},
      error = ${'error' in ended ? ended.error : null}
    WHERE backup_id = ${backupId}`;
}
