import type { Db } from '../../storage/postgres.ts';

export type Backlogs = {
  /** 0 before the first event. */
  compactionAgeSeconds: number;
  /** 0 when nothing waits. */
  outboxAgeSeconds: number;
  unappliedNotifications: number;
  failedDeliveries: number;
};

/** What waits, of all organizations together: for the operator's metrics. */
export async function selectBacklogs(db: Db): Promise<Backlogs> {
  const [row] = await db<Backlogs[]>`
    SELECT
      coalesce((SELECT extract(epoch FROM now() - max(compacted_at))
        FROM event_segments), 0)::float8 AS "compactionAgeSeconds",
      coalesce((SELECT extract(epoch FROM now() - min(created_at))
        FROM outbox WHERE started_at IS NULL), 0)::float8 AS "outboxAgeSeconds",
      (SELECT count(*) FROM purchase_notifications
        WHERE applied_at IS NULL) AS "unappliedNotifications",
      (SELECT count(*) FROM webhook_deliveries WHERE status = 'failed'
        AND created_at > now() - interval '1 day') AS "failedDeliveries"`;
  if (!row) throw new Error('A query without FROM gave no row.');
  return row;
}
