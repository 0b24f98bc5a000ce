import type { AppScope } from '../../shared/app.ts';
import { newId } from '../../shared/ids.ts';
import {
  type Db,
  firstRow,
  hasRows,
  toColumns,
  type Tx,
  done,
  singleValue,
} from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { existsInOrganization } from '../../storage/rows-of-app.ts';
import { asJson, type PersonPlace, userIds } from '../../storage/stored-rows.ts';
import { markEnsured } from '../../storage/wanted-runs.ts';
import { EVENT_RECEIVED, type WebhookEventType } from './events.ts';
import { Delivery } from './model.ts';

const BATCH = 10_000;

export const deliveryExists = existsInOrganization('webhook_deliveries', 'delivery_id');

export const failPending = (db: Db, orgId: string, webhookId: string, at: Date) =>
  done(db`
    UPDATE webhook_deliveries SET status = 'failed', finished_at = ${at}
    WHERE org_id = ${orgId} AND webhook_id = ${webhookId} AND status = 'pending'`);

type NewDelivery = {
  deliveryId?: string;
  orgId: string;
  webhookId: string;
  eventType: WebhookEventType;
  body: string;
  createdAt: Date;
  eventId?: string | null;
  personIds?: string[];
  isDisabled?: boolean;
};

const toRow = ({ isDisabled = false, ...delivery }: NewDelivery) =>
  toColumns({
    deliveryId: newId('dlv'),
    eventId: null,
    personIds: [],
    ...delivery,
    status: isDisabled ? 'failed' : 'pending',
    finishedAt: isDisabled ? delivery.createdAt : null,
  });

/** Deduplicates by webhook and event. */
export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db`
    INSERT INTO webhook_deliveries ${db(deliveries.map(toRow))} ON CONFLICT DO NOTHING`;
}

export const countOfEvents = (
  db: Db,
  { orgId, webhookId }: { orgId: string; webhookId: string },
  since: Date,
) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM webhook_deliveries
    WHERE org_id = ${orgId} AND webhook_id = ${webhookId} AND created_at > ${since}
      AND event_type = ${EVENT_RECEIVED}`);

const sent = (db: Db, name: string) => db`${asJson(db, 'body')} #>> ${['data', name]}::text[]`;

/** Deletion of the app itself concerns the organization. */
const appOf = (db: Db) => db`CASE WHEN event_type <> 'audit.recorded' OR person_ids <> '{}'
  THEN ${sent(db, 'appId')} END`;

const isOfLiveApp = (db: Db) => db`
  NOT EXISTS (SELECT FROM event_deleted_apps a WHERE a.app_id = ${appOf(db)})
  AND NOT EXISTS (
    SELECT FROM apps a WHERE a.app_id = ${appOf(db)} AND a.deleted_at IS NOT NULL)`;

export type Outgoing = {
  deliveryId: string;
  url: string;
  body: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
};

export const selectOutgoing = (db: Db, orgId: string, deliveryId: string) =>
  firstRow(db<Outgoing[]>`
    SELECT d.delivery_id AS "deliveryId", w.url, d.body, w.sealed_secret AS "sealedSecret",
      CASE WHEN w.previous_secret_until > now() THEN w.sealed_previous_secret END
        AS "sealedPreviousSecret"
    FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
      JOIN auth.organization o ON o.id = d.org_id
    WHERE d.org_id = ${orgId} AND w.org_id = ${orgId} AND d.delivery_id = ${deliveryId}
      AND d.status = 'pending' AND w.disabled_at IS NULL AND ${isOfLiveApp(db)}`);

type NewAttempt = {
  deliveryId: string;
  orgId: string;
  attemptedAt: Date;
  responseStatus: number | null;
  error: string | null;
  durationMs: number;
};

export const insertAttempt = (db: Db, attempt: NewAttempt) =>
  done(db`INSERT INTO webhook_attempts ${db(toColumns(attempt))}`);

export const countAttempts = (
  db: Db,
  { orgId, deliveryId }: { orgId: string; deliveryId: string },
) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM webhook_attempts
    WHERE org_id = ${orgId} AND delivery_id = ${deliveryId}`);

export async function findDue(
  db: Db,
  { orgId, deliveryId }: { orgId: string; deliveryId: string },
): Promise<{ dueAt: string | null } | undefined> {
  const rows = await db<{ dueAt: string | null }[]>`
    SELECT attempt_due_at::text AS "dueAt" FROM webhook_deliveries
    WHERE org_id = ${orgId} AND delivery_id = ${deliveryId}
      AND (attempt_due_at IS NULL OR attempt_due_at <= now() + interval '5 seconds')`;
  return rows[0];
}

export const finishDelivery = (
  db: Db,
  delivery: { orgId: string; deliveryId: string; status: 'delivered' | 'failed'; at: Date },
) =>
  done(db`
    UPDATE webhook_deliveries SET status = ${delivery.status}, finished_at = ${delivery.at}
    WHERE org_id = ${delivery.orgId} AND delivery_id = ${delivery.deliveryId} AND status = 'pending'`);

/** False without a finished delivery of this webhook. */
export const reopenDelivery = (
  db: Db,
  delivery: { orgId: string; webhookId: string; deliveryId: string },
) =>
  hasRows(db`
    UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, run_ensured_at = NULL,
      attempt_due_at = now()
    WHERE org_id = ${delivery.orgId} AND webhook_id = ${delivery.webhookId}
      AND delivery_id = ${delivery.deliveryId} AND ${isOfLiveApp(db)}
    RETURNING 1`);

type Range = {
  orgId: string;
  webhookId: string;
  from: Date;
  to: Date;
  statuses: readonly string[];
  limit: number;
};

export async function reopenDeliveries(
  tx: Tx,
  { orgId, webhookId, from, to, statuses, limit }: Range,
): Promise<{ reopened: number; nextFrom: Date | null }> {
  const inRange = tx`
    org_id = ${orgId} AND webhook_id = ${webhookId} AND created_at >= ${from} AND created_at < ${to}
    AND status = ANY (${[...statuses]}) AND ${isOfLiveApp(tx)}`;
  const found = await tx<{ deliveryId: string; createdAt: Date }[]>`
    SELECT delivery_id AS "deliveryId", created_at AS "createdAt" FROM webhook_deliveries
    WHERE ${inRange} ORDER BY created_at, delivery_id LIMIT ${limit + 1}`;
  const ids = found.slice(0, limit).map(({ deliveryId }) => deliveryId);
  const rows = await tx`
    UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, run_ensured_at = NULL,
      attempt_due_at = NULL
    WHERE ${inRange} AND delivery_id = ANY (${ids}) RETURNING 1`;
  return { reopened: rows.length, nextFrom: found.at(limit)?.createdAt ?? null };
}

export const DELIVERIES_OF_PERSON: PersonPlace = {
  kind: 'webhook_delivery',
  table: 'webhook_deliveries',
  ids: ['person_ids'],
  words: ['body'],
  key: (db) => db`delivery_id`,
  where: (db, { orgId, appId }, person) => db`
    org_id = ${orgId} AND person_ids && ${[...userIds(person), ...person.devices]}::text[]
    AND ${sent(db, 'appId')} = ${appId}
    AND CASE WHEN event_type <> ${EVENT_RECEIVED} THEN person_ids && ${userIds(person)}::text[]
      ELSE coalesce(${sent(db, 'userId')} = ANY(${[...person.ids]}), ${sent(db, 'anonymousId')} = ANY(${[...person.devices]})) END`,
  data: (db, person) => db`to_jsonb(stored) || CASE
    WHEN event_type = ${EVENT_RECEIVED}
      OR person_ids <@ ${[...userIds(person), ...person.devices]}::text[] THEN '{}'
    ELSE '{"body": null, "person_ids": null}'::jsonb END`,
};

const toDelivery = rowParser(Delivery, 'webhook_deliveries row');

export const selectDeliveries = (
  db: Db,
  page: { orgId: string; webhookId: string; before: string | null; limit: number },
) =>
  toDelivery.all(db`
    SELECT d.delivery_id AS id, d.webhook_id, d.event_type AS event, d.event_id, d.status, d.created_at, d.finished_at,
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
    ORDER BY d.delivery_id DESC LIMIT ${page.limit}`);

export async function deleteDeliveriesOfApp(db: Db, { orgId, appId }: AppScope): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH; ) {
    const rows = await db`
      DELETE FROM webhook_deliveries WHERE delivery_id IN (
        SELECT delivery_id FROM webhook_deliveries WHERE org_id = ${orgId}
          AND CASE WHEN strpos(body, ${appId}) > 0 THEN ${appOf(db)} = ${appId} END
        LIMIT ${BATCH})`;
    deleted = rows.count;
  }
}

export type PendingDelivery = { orgId: string; deliveryId: string; createdAt: string };

/** Oldest first. `createdAt` as text keeps microseconds. */
export const selectPendingDeliveries = async (
  db: Db,
  { after, limit }: { after: PendingDelivery | null; limit: number },
) => db<PendingDelivery[]>`
    SELECT org_id AS "orgId", delivery_id AS "deliveryId", created_at::text AS "createdAt"
    FROM webhook_deliveries
    WHERE status = 'pending' AND (attempt_due_at IS NOT NULL OR run_ensured_at IS NOT NULL)
      AND (created_at, delivery_id) >
      (${after?.createdAt ?? '-infinity'}::text::timestamptz, ${after?.deliveryId ?? ''})
    ORDER BY created_at, delivery_id LIMIT ${limit}`;

export type DeliveryKey = { orgId: string; deliveryId: string };

/** Longest due first. */
export const selectDeliveriesWithoutRun = async (db: Db, limit: number) => db<DeliveryKey[]>`
    SELECT org_id AS "orgId", delivery_id AS "deliveryId" FROM webhook_deliveries
    WHERE status = 'pending' AND attempt_due_at IS NOT NULL AND run_ensured_at IS NULL
    ORDER BY attempt_due_at, delivery_id LIMIT ${limit}`;

export const markRunsEnsured = markEnsured('webhook_deliveries', 'orgId', 'deliveryId');
