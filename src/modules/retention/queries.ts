import type { Db } from '../../storage/postgres.ts';

/** Days; null keeps for ever. */
export type Retention = {
  events: number | null;
  logs: number | null;
  notifications: number | null;
};

export async function findRetention(
  db: Db,
  orgId: string,
  appId: string,
): Promise<Retention | null> {
  const [row] = await db<Retention[]>`
    SELECT event_retention_days AS events, log_retention_days AS logs,
      notification_retention_days AS notifications
    FROM app_datasets WHERE org_id = ${orgId} AND app_id = ${appId}`;
  return row ?? null;
}

export async function updateRetention(
  db: Db,
  { orgId, appId, events, logs, notifications }: Retention & { orgId: string; appId: string },
): Promise<void> {
  await db`
    UPDATE app_datasets SET event_retention_days = ${events}, log_retention_days = ${logs},
      notification_retention_days = ${notifications}
    WHERE org_id = ${orgId} AND app_id = ${appId}`;
}
