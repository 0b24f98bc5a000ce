import { parser } from '../../shared/schema.ts';
import { lockSubject } from '../../storage/locks.ts';
import { columnsOf, contractRow, type Db, type Tx } from '../../storage/postgres.ts';
import { Delivery, Webhook, type WebhookEventType } from './model.ts';

type OrgScope = { orgId: string };

const webhookParser = parser(Webhook, 'webhooks row');
const toWebhook = (row: object) => webhookParser.parse(contractRow(row));
const webhookColumns = (db: Db) => db`webhook_id AS id, url, events, created_at`;

export async function selectWebhooks(db: Db, orgId: string): Promise<Webhook[]> {
  const rows = await db`
    SELECT ${webhookColumns(db)} FROM webhooks WHERE org_id = ${orgId}
    ORDER BY created_at, webhook_id`;
  return rows.map(toWebhook);
}

export async function webhookExists(db: Db, { orgId }: OrgScope, id: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM webhooks WHERE org_id = ${orgId} AND webhook_id = ${id}`;
  return rows.length > 0;
}

export async function deliveryExists(db: Db, { orgId }: OrgScope, id: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM webhook_deliveries WHERE org_id = ${orgId} AND delivery_id = ${id}`;
  return rows.length > 0;
}

type NewWebhook = {
  id: string;
  orgId: string;
  url: string;
  events: readonly string[];
  sealedSecret: string;
  at: Date;
};

/** Gives null when the organization already has `max` webhooks. */
export async function insertWebhook(
  tx: Tx,
  hook: NewWebhook,
  max: number,
): Promise<Webhook | null> {
  await lockSubject(tx, 'webhooks', hook.orgId);
  const [row] = await tx`
    INSERT INTO webhooks (webhook_id, org_id, url, events, sealed_secret, created_at)
    SELECT ${hook.id}, ${hook.orgId}, ${hook.url}, ${[...hook.events]}, ${hook.sealedSecret},
      ${hook.at}
    WHERE (SELECT count(*) FROM webhooks WHERE org_id = ${hook.orgId}) < ${max}
    RETURNING ${webhookColumns(tx)}`;
  return row ? toWebhook(row) : null;
}

export async function deleteWebhookRow(db: Db, orgId: string, id: string): Promise<boolean> {
  const rows = await db`
    DELETE FROM webhooks WHERE org_id = ${orgId} AND webhook_id = ${id} RETURNING 1`;
  return rows.length > 0;
}

export async function selectSubscribers(
  db: Db,
  orgId: string,
  type: WebhookEventType,
): Promise<string[]> {
  const rows = await db<{ webhook_id: string }[]>`
    SELECT webhook_id FROM webhooks WHERE org_id = ${orgId} AND ${type} = ANY(events)
    ORDER BY created_at`;
  return rows.map((row) => row.webhook_id);
}

type NewDelivery = {
  deliveryId: string;
  orgId: string;
  webhookId: string;
  eventType: WebhookEventType;
  body: string;
  createdAt: Date;
};

export async function insertDelivery(db: Db, delivery: NewDelivery): Promise<void> {
  await db`INSERT INTO webhook_deliveries ${db(columnsOf({ ...delivery, status: 'pending' }))}`;
}

export type Outgoing = { deliveryId: string; url: string; body: string; sealedSecret: string };

/** The request to post; null when the delivery is finished or its webhook is gone. */
export async function selectOutgoing(
  db: Db,
  orgId: string,
  deliveryId: string,
): Promise<Outgoing | null> {
  const [row] = await db<Outgoing[]>`
    SELECT d.delivery_id AS "deliveryId", w.url, d.body, w.sealed_secret AS "sealedSecret"
    FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
    WHERE d.org_id = ${orgId} AND w.org_id = ${orgId} AND d.delivery_id = ${deliveryId}
      AND d.status = 'pending'`;
  return row ?? null;
}

type NewAttempt = {
  deliveryId: string;
  orgId: string;
  attemptedAt: Date;
  responseStatus: number | null;
  error: string | null;
  durationMs: number;
};

export async function insertAttempt(db: Db, attempt: NewAttempt): Promise<void> {
  await db`INSERT INTO webhook_attempts ${db(columnsOf(attempt))}`;
}

export async function finishDelivery(
  db: Db,
  delivery: { orgId: string; deliveryId: string; status: 'delivered' | 'failed'; at: Date },
): Promise<void> {
  await db`
    UPDATE webhook_deliveries SET status = ${delivery.status}, finished_at = ${delivery.at}
    WHERE org_id = ${delivery.orgId} AND delivery_id = ${delivery.deliveryId} AND status = 'pending'`;
}

/** Makes a finished delivery pending again; false when there is none of this webhook. */
export async function reopenDelivery(
  db: Db,
  delivery: { orgId: string; webhookId: string; deliveryId: string },
): Promise<boolean> {
  const rows = await db`
    UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, run_ensured_at = NULL
    WHERE org_id = ${delivery.orgId} AND webhook_id = ${delivery.webhookId}
      AND delivery_id = ${delivery.deliveryId}
    RETURNING 1`;
  return rows.length > 0;
}

const deliveryParser = parser(Delivery, 'webhook_deliveries row');

/** Newest first. `before` is the id of the last delivery of the page before; ids sort by time. */
export async function selectDeliveries(
  db: Db,
  page: { orgId: string; webhookId: string; before: string | null; limit: number },
): Promise<Delivery[]> {
  const rows = await db`
    SELECT d.delivery_id AS id, d.webhook_id, d.event_type AS event, d.status, d.created_at, d.finished_at,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object(
            'attemptedAt', to_char(a.attempted_at AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'responseStatus', a.response_status, 'error', a.error, 'durationMs', a.duration_ms)
          ORDER BY a.attempted_at)
        FROM webhook_attempts a WHERE a.delivery_id = d.delivery_id AND a.org_id = d.org_id
      ), '[]'::jsonb) AS attempts
    FROM webhook_deliveries d
    WHERE d.org_id = ${page.orgId} AND d.webhook_id = ${page.webhookId}
      AND (${page.before}::text IS NULL OR d.delivery_id < ${page.before})
    ORDER BY d.delivery_id DESC LIMIT ${page.limit}`;
  return rows.map((row) => deliveryParser.parse(contractRow(row)));
}

export async function deleteOldDeliveries(db: Db, olderThanDays: number): Promise<void> {
  await db`
    DELETE FROM webhook_deliveries
    WHERE created_at < now() - make_interval(days => ${olderThanDays})`;
}

export type PendingDelivery = { orgId: string; deliveryId: string; createdAt: string };

/** Oldest first, after `after`. `createdAt` keeps the microseconds of PostgreSQL. */
export async function selectPendingDeliveries(
  db: Db,
  { after, limit }: { after: PendingDelivery | null; limit: number },
): Promise<PendingDelivery[]> {
  return db<PendingDelivery[]>`
    SELECT org_id AS "orgId", delivery_id AS "deliveryId", created_at::text AS "createdAt"
    FROM webhook_deliveries
    WHERE status = 'pending' AND (created_at, delivery_id) >
      (${after?.createdAt ?? '-infinity'}::text::timestamptz, ${after?.deliveryId ?? ''})
    ORDER BY created_at, delivery_id LIMIT ${limit}`;
}

export type DeliveryKey = { orgId: string; deliveryId: string };

/** The newest pending deliveries of one organization whose run was not ensured yet. */
export async function selectNewDeliveries(
  db: Db,
  orgId: string,
  limit: number,
): Promise<DeliveryKey[]> {
  return db<DeliveryKey[]>`
    SELECT org_id AS "orgId", delivery_id AS "deliveryId" FROM webhook_deliveries
    WHERE org_id = ${orgId} AND run_ensured_at IS NULL AND status = 'pending'
    ORDER BY created_at DESC, delivery_id DESC LIMIT ${limit}`;
}

/**
 * Pending deliveries whose run was not ensured yet: the oldest of every organization, then the second
 * of each … One index range per organization, so that a long list is not read whole.
 */
export async function selectDeliveriesWithoutRun(db: Db, limit: number): Promise<DeliveryKey[]> {
  const missing = db`run_ensured_at IS NULL AND status = 'pending'`;
  return db<DeliveryKey[]>`
    WITH RECURSIVE organizations AS (
      (SELECT org_id FROM webhook_deliveries WHERE ${missing} ORDER BY org_id LIMIT 1)
      UNION ALL
      SELECT following.org_id FROM organizations o, LATERAL (
        SELECT org_id FROM webhook_deliveries WHERE ${missing} AND org_id > o.org_id
        ORDER BY org_id LIMIT 1) AS following
    )
    SELECT d.org_id AS "orgId", d.delivery_id AS "deliveryId"
    FROM organizations o, LATERAL (
      SELECT *, row_number() OVER (ORDER BY created_at, delivery_id) AS turn FROM (
        SELECT org_id, delivery_id, created_at FROM webhook_deliveries
        WHERE ${missing} AND org_id = o.org_id
        ORDER BY created_at, delivery_id LIMIT ${limit}) AS first) AS d
    ORDER BY d.turn, d.created_at LIMIT ${limit}`;
}

export async function markRunsEnsured(db: Db, deliveries: readonly DeliveryKey[]): Promise<void> {
  await db`
    UPDATE webhook_deliveries AS d SET run_ensured_at = now()
    FROM unnest(${deliveries.map(({ orgId }) => orgId)}::text[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[]) AS ensured (org_id, delivery_id)
    WHERE d.org_id = ensured.org_id AND d.delivery_id = ensured.delivery_id
      AND d.status = 'pending'`;
}
