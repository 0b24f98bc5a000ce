import { onlyRow } from '../../shared/assert.ts';
import { type Db, firstRow } from '../../storage/postgres.ts';

export type ScheduledBackups = {
  /** Everything before its start is in it. */
  goodAt: Date | null;
  failedAt: Date | null;
};

const ROWS_KEPT = 1_000;

export async function selectBackups(db: Db, place: string): Promise<ScheduledBackups> {
  const rows = await db<ScheduledBackups[]>`
    SELECT max(began_at) FILTER (WHERE state = 'good') AS "goodAt",
      max(began_at) FILTER (WHERE state <> 'good') AS "failedAt"
    FROM backups WHERE place = ${place}`;
  return onlyRow(rows);
}

export type BackupAttempt = { beganAt: Date; state: 'running' | 'good' | 'failed' };

export function selectLastAttempt(db: Db, place: string): Promise<BackupAttempt | null> {
  return firstRow(db<BackupAttempt[]>`
    SELECT began_at AS "beganAt", state FROM backups
    WHERE place = ${place} ORDER BY began_at DESC, backup_id DESC LIMIT 1`);
}

export async function selectLastGood(
  db: Db,
  place: string,
): Promise<{ backupId: string; beganAt: Date } | null> {
  const rows = await db<{ backupId: string; beganAt: Date }[]>`
    SELECT backup_id AS "backupId", began_at AS "beganAt" FROM backups
    WHERE place = ${place} AND state = 'good' ORDER BY began_at DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** Of the newest `keep`. */
export function takeUnverified(
  db: Db,
  { place, keep, at, before }: { place: string; keep: number; at: Date; before: Date },
): Promise<{ backupId: string; beganAt: Date } | null> {
  return firstRow(db<{ backupId: string; beganAt: Date }[]>`
    UPDATE backups SET verified_at = ${at} WHERE backup_id = (
      SELECT backup_id FROM (SELECT * FROM backups WHERE place = ${place} AND state = 'good'
        ORDER BY began_at DESC LIMIT ${keep}) kept
      WHERE coalesce(verified_at, ended_at) < ${before}
      ORDER BY coalesce(verified_at, ended_at) LIMIT 1)
    RETURNING backup_id AS "backupId", began_at AS "beganAt"`);
}

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
  ended: { endedAt: Date; bytes: number } | { endedAt: Date; error: string },
): Promise<void> {
  const { endedAt } = ended;
  const [state, bytes, error] =
    'error' in ended ? ['failed', null, ended.error] : ['good', ended.bytes, null];
  await db`
    UPDATE backups SET state = ${state}, ended_at = ${endedAt}, bytes = ${bytes}, error = ${error}
    WHERE backup_id = ${backupId}`;
}
