import { onlyRow } from '../../shared/assert.ts';
import { type Db, firstRow, singleValue, singleRow } from '../../storage/postgres.ts';

export type Backlogs = {
  backupAgeSeconds: number;
  lakeAgeSeconds: number;
  compactionAgeSeconds: number;
  /** Age of the oldest row without an ensured run; 0 for none. */
  missingRunAgeSeconds: number;
  unappliedNotifications: number;
  failedDeliveries: number;
  storeDaysBehind: number;
  columnBytes: number;
  columnProperties: number;
  orphanFiles: number;
};

export const selectClockMs = (db: Db) =>
  singleValue(db<{ ms: number }[]>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`);

const columnsSql = (db: Db) => db`
  (SELECT coalesce(sum(bytes), 0)::bigint FROM event_property_columns) AS "columnBytes",
  (SELECT count(*) FROM event_property_uses WHERE is_chosen) AS "columnProperties"`;

export async function selectColumns(
  db: Db,
): Promise<Pick<Backlogs, 'columnBytes' | 'columnProperties'>> {
  return onlyRow(
    await db<Pick<Backlogs, 'columnBytes' | 'columnProperties'>[]>`SELECT ${columnsSql(db)}`,
  );
}

export type Orphans = { files: number; bytes: number; countedAt: Date };

export const selectOrphans = (db: Db) =>
  firstRow(db<Orphans[]>`
    SELECT orphan_files AS files, orphan_bytes AS bytes, orphans_counted_at AS "countedAt"
    FROM installation WHERE orphans_counted_at IS NOT NULL`);

export const selectBacklogs = (db: Db, lake: { isOn: boolean }) =>
  singleRow(db<Backlogs[]>`
    SELECT
      coalesce((SELECT extract(epoch FROM now() - max(began_at))
        FROM backups WHERE state = 'good' AND began_at < now() + interval '1 hour'), 0)::float8 AS "backupAgeSeconds",
      coalesce((SELECT extract(epoch FROM now() - published_at)
        FROM lake_publisher WHERE ${lake.isOn}), 0)::float8 AS "lakeAgeSeconds",
      coalesce((SELECT extract(epoch FROM now() - max(compacted_at))
        FROM event_segments), 0)::float8 AS "compactionAgeSeconds",
      coalesce(extract(epoch FROM now() - least(
        (SELECT min(coalesce(deleted_at, created_at)) FROM apps
          WHERE run_ensured_at IS NULL AND (status = 'provisioning' OR deleted_at IS NOT NULL)),
        (SELECT min(requested_at) FROM organization_deletions
          WHERE run_ensured_at IS NULL AND finished_at IS NULL),
        (SELECT min(started_at) FROM preview_sessions
          WHERE run_ensured_at IS NULL AND phase = 'starting'),
        (SELECT min(attempt_due_at) FROM webhook_deliveries
          WHERE run_ensured_at IS NULL AND status = 'pending'))), 0)::float8 AS "missingRunAgeSeconds",
      (SELECT count(*) FROM purchase_notifications
        WHERE applied_at IS NULL) AS "unappliedNotifications",
      (SELECT count(*) FROM webhook_deliveries WHERE status = 'failed'
        AND created_at > now() - interval '1 day') AS "failedDeliveries",
      coalesce(greatest((
        SELECT max(extract(epoch FROM now() - last_verified_at) / 86400)
        FROM google_play_accounts WHERE status = 'connected' AND sealed_key IS NOT NULL), (
        SELECT max(extract(epoch FROM now() - coalesce(collected.day, c.connected_at)) / 86400)
        FROM store_connections c LEFT JOIN LATERAL (
          SELECT max(day)::timestamptz AS day FROM store_days d
          WHERE d.org_id = c.org_id AND d.vendor_number = c.vendor_number
            AND d.state IN ('reported', 'zero', 'inferred_zero')) collected ON true
        WHERE c.status = 'connected' AND c.sealed_key IS NOT NULL)), 0)::float8 AS "storeDaysBehind",
      coalesce((SELECT orphan_files FROM installation), 0) AS "orphanFiles",
      ${columnsSql(db)}`);

export const hasStartedRuns = (db: Db) =>
  singleValue(db<{ has: boolean }[]>`
    SELECT EXISTS (SELECT FROM apps WHERE run_ensured_at IS NOT NULL) AS has`);
