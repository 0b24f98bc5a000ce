import { PROJECTION_REVISION } from '../../src/event-store/projection/format.ts';
import type { Sql } from '../../src/storage/postgres.ts';

export type CatalogueSize = {
  apps: number;
  /** Closed days of which each app has a whole file. */
  filesPerApp: number;
  sharedFiles: number;
  aliases: number;
};

/** Catalogue rows without their files, as an installation of many apps has them when nothing is due. */
export async function fillCatalogue(sql: Sql, size: CatalogueSize): Promise<void> {
  const mb = 1024 * 1024;
  await sql`
    INSERT INTO event_files (file_id, org_id, app_id, level, format, day, path, rows, bytes,
      props_bytes, min_occurred_at, max_occurred_at, min_received_at, max_received_at, people_seq,
      projection_format, state)
    SELECT 'own_' || app || '_' || n, 'org_1', 'app_' || app, 1, 3, current_date - 3 - n,
      'own/' || app || '/' || n, 100000, ${9 * mb}, ${50 * mb}, at, at + interval '1 hour', at, at, 1,
      ${PROJECTION_REVISION}, 'live'
    FROM generate_series(1, ${size.apps}::int) app, generate_series(1, ${size.filesPerApp}::int) n,
      LATERAL (SELECT (current_date - 3 - n)::timestamptz AS at) days`;
  await sql`
    INSERT INTO event_files (file_id, level, format, path, rows, bytes, props_bytes,
      min_occurred_at, max_occurred_at, min_received_at, max_received_at, people_seq, state)
    SELECT 'shared_' || n, 0, 3, 'shared/' || n, 1000000, ${30 * mb}, ${30 * mb}, now(), now(), now(),
      now(), 1, 'live'
    FROM generate_series(1, ${size.sharedFiles}::int) n`;
  await sql`
    INSERT INTO event_file_apps (app_id, file_id, org_id, first_row, rows, min_occurred_at,
      max_occurred_at, aliases)
    SELECT app_id, file_id, org_id, 0, rows, min_occurred_at, max_occurred_at, 0 FROM event_files
    WHERE app_id IS NOT NULL
    UNION ALL
    SELECT 'app_' || app, 'shared_' || n, 'org_1', app * 100, 100, now(), now(), 0
    FROM generate_series(1, ${size.apps}::int) app, generate_series(1, ${size.sharedFiles}::int) n`;
  await sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    SELECT 'app_' || (n % ${size.apps}::int + 1), 'device_' || n, 'user_' || n, 'org_1', now(), 1
    FROM generate_series(1, ${size.aliases}::int) n`;
  await sql`
    INSERT INTO event_alias_counts (app_id, org_id, aliases)
    SELECT app_id, org_id, count(*) FROM event_people GROUP BY app_id, org_id`;
  await sql`ANALYZE`;
}
