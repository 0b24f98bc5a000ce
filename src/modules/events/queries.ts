import { type Db, hasRows } from '../../storage/postgres.ts';

export const filesBegin = (
  db: Db,
  { orgId, appId }: { orgId: string; appId: string },
  before: Date,
) =>
  hasRows(db`
    SELECT 1 FROM event_file_apps a JOIN event_files f USING (file_id)
    WHERE a.org_id = ${orgId} AND a.app_id = ${appId} AND f.state = 'live'
      AND a.min_occurred_at < ${before} LIMIT 1`);
