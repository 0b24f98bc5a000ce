import type { Db } from '../../../storage/postgres.ts';
import type { AppSelection } from '../../selection/selection.ts';
import type { LakeSnapshot } from '../source/lake.ts';

/** Its files are lost after a day. */
const OLDEST_MINUTES = 60;

type Published = Record<'events' | 'people' | 'erasures' | 'deletedApps', number | null> & {
  dataThrough: Date | null;
};

export async function latestSnapshot(db: Db): Promise<LakeSnapshot | null> {
  const [row] = await db<Published[]>`
    SELECT max(t.snapshot_id) FILTER (WHERE t.table_name = 'events') AS events,
      max(t.snapshot_id) FILTER (WHERE t.table_name = 'people') AS people,
      max(t.snapshot_id) FILTER (WHERE t.table_name = 'erasures') AS erasures,
      max(t.snapshot_id) FILTER (WHERE t.table_name = 'deleted_apps') AS "deletedApps",
      p.data_through AS "dataThrough"
    FROM lake_publisher p LEFT JOIN lake_tables t ON true
    WHERE p.id = 1 AND p.published_at > now() - ${OLDEST_MINUTES} * interval '1 minute'
    GROUP BY p.id`;
  if (!row) return null;
  const { events, people, erasures, deletedApps, dataThrough } = row;
  if (events === null || people === null || erasures === null || deletedApps === null) return null;
  if (dataThrough === null) return null;
  return { events, people, erasures, deletedApps, dataThroughMs: dataThrough.getTime() };
}

export async function eventsToRead(
  db: Db,
  { orgId, appId, fromUs = 0, beforeUs }: AppSelection,
): Promise<number> {
  const [row] = await db<{ rows: number }[]>`
    SELECT coalesce(sum(a.rows), 0)::bigint AS rows
    FROM event_file_apps a JOIN event_files f USING (file_id)
    WHERE a.org_id = ${orgId} AND a.app_id = ${appId} AND f.state = 'live'
      AND a.max_occurred_at >= ${new Date(fromUs / 1_000)}
      AND a.min_occurred_at < ${new Date(Math.ceil(beforeUs / 1_000))}`;
  return row?.rows ?? 0;
}
