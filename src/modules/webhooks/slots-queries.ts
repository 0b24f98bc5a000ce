import { type Db, hasRows, type Tx, done } from '../../storage/postgres.ts';
import { organizationsWith } from '../../storage/rows-of-app.ts';
import type { DeliveryKey } from './deliveries-queries.ts';

/** A long backlog is not read whole. */
export async function selectWaitingOrganizations(db: Db): Promise<string[]> {
  const waiting = db`status = 'pending' AND attempt_due_at IS NULL AND run_ensured_at IS NULL`;
  const rows = await db<{ orgId: string }[]>`
    ${organizationsWith(db, 'webhook_deliveries', waiting)}
    SELECT org_id AS "orgId" FROM organizations`;
  return rows.map(({ orgId }) => orgId);
}

export const isWaiting = (db: Db, orgId: string) =>
  hasRows(db`
    SELECT 1 FROM webhook_deliveries
    WHERE org_id = ${orgId} AND status = 'pending' AND attempt_due_at IS NULL
      AND run_ensured_at IS NULL LIMIT 1`);

/**
 * The oldest, up to `limit`. An attempt minutes late frees its slot. Statement time: the
 * transaction's may be older than changes it waited for.
 */
export const fillSlots = async (tx: Tx, orgId: string, limit: number) => tx<DeliveryKey[]>`
    WITH due AS (
      SELECT 1 FROM webhook_deliveries
      WHERE org_id = ${orgId} AND status = 'pending'
        AND attempt_due_at BETWEEN statement_timestamp() - interval '10 minutes' AND statement_timestamp()
      LIMIT ${limit}
    ), next AS (
      SELECT delivery_id FROM webhook_deliveries
      WHERE org_id = ${orgId} AND status = 'pending' AND attempt_due_at IS NULL
        AND run_ensured_at IS NULL
      ORDER BY created_at, delivery_id LIMIT ${limit} - (SELECT count(*) FROM due)
    )
    UPDATE webhook_deliveries AS d SET attempt_due_at = statement_timestamp() FROM next
    WHERE d.org_id = ${orgId} AND d.delivery_id = next.delivery_id AND d.status = 'pending'
    RETURNING d.org_id AS "orgId", d.delivery_id AS "deliveryId"`;

/** Unless it was asked for again meanwhile. */
export const delayAttempt = (
  db: Db,
  { orgId, deliveryId, dueAt, seconds }: DeliveryKey & { dueAt: string | null; seconds: number },
) =>
  done(db`
    UPDATE webhook_deliveries SET attempt_due_at = now() + make_interval(secs => ${seconds})
    WHERE org_id = ${orgId} AND delivery_id = ${deliveryId} AND status = 'pending'
      AND attempt_due_at::text IS NOT DISTINCT FROM ${dueAt}`);
