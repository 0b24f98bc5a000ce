import { type Db, hasRows, column, done } from '../../../storage/postgres.ts';

export const wasHinted = (db: Db, orgId: string, since: Date) =>
  hasRows(db`
    SELECT 1 FROM store_webhooks WHERE org_id = ${orgId} AND hinted_at >= ${since} LIMIT 1`);

/** Across organizations, unread within these times. */
export const selectUnreadHints = (db: Db, { from, to }: { from: Date; to: Date }) =>
  column(db<{ orgId: string }[]>`
    SELECT DISTINCT w.org_id AS "orgId" FROM store_webhooks w
    JOIN store_connections c ON c.org_id = w.org_id AND c.sealed_key IS NOT NULL
    LEFT JOIN store_syncs s ON s.org_id = c.org_id AND s.vendor_number = c.vendor_number
    WHERE w.hinted_at BETWEEN ${from} AND ${to}
      AND (s.apps_checked_at IS NULL OR s.apps_checked_at < w.hinted_at)`);

/** Across organizations. */
export const deleteOldDeliveries = (db: Db, before: Date) =>
  done(db`DELETE FROM store_webhook_deliveries WHERE received_at < ${before}`);
