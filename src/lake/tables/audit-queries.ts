import { type Db, column } from '../../storage/postgres.ts';
import { readPages } from '../../storage/read-pages.ts';
import type { TextRow } from './write.ts';

/** An entry has up to 50 changes of 4,000 characters a value. */
const PAGE = 500;

export const auditMonths = (db: Db) =>
  column(db<{ month: string }[]>`
    SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC')::date::text AS month
    FROM audit_entries ORDER BY 1`);

export function auditRows(db: Db, month: string): AsyncIterable<TextRow[]> {
  return readPages(
    db<TextRow[]>`
    SELECT org_id, entry_id, at::text AS recorded_at, actor_kind, actor_id, operation, app_id,
      changes::text AS changes, address, user_agent, request_id
    FROM audit_entries
    WHERE at >= ${month}::date::timestamp AT TIME ZONE 'UTC'
      AND at < (${month}::date + interval '1 month') AT TIME ZONE 'UTC'`,
    PAGE,
  );
}
