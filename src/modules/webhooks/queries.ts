import { lockSubject } from '../../storage/locks.ts';
import { type Db, toColumns, type Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { deleteInOrganization, existsInOrganization } from '../../storage/rows-of-app.ts';
import { EVENT_RECEIVED, type WebhookEventType } from './events.ts';
import { Webhook } from './model.ts';

const parseWebhook = rowParser(Webhook, 'webhooks row');
const isUsual = (name: string, value: unknown): boolean =>
  (name === 'entitlements' && Array.isArray(value) && value.length === 0) ||
  (name === 'event_names' && Array.isArray(value) && value.length === 0) ||
  (name === 'event_one_in' && value === 1) ||
  (name === 'events_left_out_at' && value === null);
/** Without what is as for most. */
const toWebhook = (row: Record<string, unknown>): Webhook =>
  parseWebhook(
    Object.fromEntries(Object.entries(row).filter(([name, value]) => !isUsual(name, value))),
  );
const webhookColumns = (db: Db) => db`
  webhook_id AS id, url, events, entitlements, event_names, event_one_in, events_left_out_at,
  created_at, disabled_at,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS previous_secret_until`;

export async function selectWebhooks(db: Db, orgId: string): Promise<Webhook[]> {
  const rows = await db`
    SELECT ${webhookColumns(db)} FROM webhooks WHERE org_id = ${orgId}
    ORDER BY created_at, webhook_id`;
  return rows.map(toWebhook);
}

export const webhookExists = existsInOrganization('webhooks', 'webhook_id');

type NewWebhook = {
  id: string;
  orgId: string;
  url: string;
  events: readonly string[];
  entitlements: readonly string[];
  eventNames: readonly string[];
  eventOneIn: number;
  sealedSecret: string;
  at: Date;
};

export const lockWebhooks = (tx: Tx, orgId: string): Promise<void> =>
  lockSubject(tx, 'webhooks', orgId);

export async function selectNamesOfOrganization(
  db: Db,
  orgId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    SELECT DISTINCT name FROM purchase_entitlements
    WHERE org_id = ${orgId} AND name = ANY(${[...names]})`;
  return rows.map(({ name }) => name);
}

export async function insertWebhook(
  tx: Tx,
  hook: NewWebhook,
  max: number,
): Promise<Webhook | null> {
  const [row] = await tx`
    INSERT INTO webhooks (webhook_id, org_id, url, events, entitlements, event_names, event_one_in,
      sealed_secret, created_at)
    SELECT ${hook.id}, ${hook.orgId}, ${hook.url}, ${[...hook.events]}, ${[...hook.entitlements]},
      ${[...hook.eventNames]}, ${hook.eventOneIn}, ${hook.sealedSecret}, ${hook.at}
    WHERE (SELECT count(*) FROM webhooks WHERE org_id = ${hook.orgId}) < ${max}
    RETURNING ${webhookColumns(tx)}`;
  return row ? toWebhook(row) : null;
}

export const deleteWebhookRow = deleteInOrganization('webhooks', 'webhook_id');

export type Subscriber = { webhookId: string; isDisabled: boolean };

export async function selectSubscribers(
  db: Db,
  orgId: string,
  { type, names }: { type: WebhookEventType; names: readonly string[] | null },
): Promise<Subscriber[]> {
  return db<Subscriber[]>`
    SELECT webhook_id AS "webhookId", disabled_at IS NOT NULL AS "isDisabled" FROM webhooks
    WHERE org_id = ${orgId} AND ${type} = ANY(events)
      AND (${names === null} OR entitlements = '{}' OR entitlements && ${[...(names ?? [])]})
    ORDER BY created_at`;
}

export type EventSubscriber = Subscriber & { orgId: string; names: string[]; oneIn: number };

export async function selectEventSubscribers(
  db: Db,
  orgIds: readonly string[],
): Promise<EventSubscriber[]> {
  return db<EventSubscriber[]>`
    SELECT webhook_id AS "webhookId", org_id AS "orgId", event_names AS names,
      event_one_in AS "oneIn", disabled_at IS NOT NULL AS "isDisabled"
    FROM webhooks
    WHERE org_id = ANY(${[...orgIds]}) AND event_names <> '{}' AND ${EVENT_RECEIVED} = ANY(events)
    ORDER BY webhook_id`;
}

export async function noteLeftOut(db: Db, orgId: string, id: string, at: Date): Promise<void> {
  await db`
    UPDATE webhooks SET events_left_out_at = ${at} WHERE org_id = ${orgId} AND webhook_id = ${id}`;
}

export type WebhookChange = {
  url?: string;
  events?: string[];
  entitlements?: string[];
  eventNames?: string[];
  eventOneIn?: number;
  disabledAt?: Date | null;
  sealedSecret?: string;
  sealedPreviousSecret?: string | null;
  previousSecretUntil?: Date | null;
};

export async function updateWebhook(
  db: Db,
  orgId: string,
  id: string,
  change: WebhookChange,
): Promise<Webhook | null> {
  const [row] = await db`
    UPDATE webhooks SET ${db(toColumns(change))} WHERE org_id = ${orgId} AND webhook_id = ${id}
    RETURNING ${webhookColumns(db)}`;
  return row ? toWebhook(row) : null;
}

export async function lockWebhook(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<{ sealedSecret: string; disabledAt: Date | null } | null> {
  const [row] = await tx<{ sealedSecret: string; disabledAt: Date | null }[]>`
    SELECT sealed_secret AS "sealedSecret", disabled_at AS "disabledAt" FROM webhooks
    WHERE org_id = ${orgId} AND webhook_id = ${id} FOR UPDATE`;
  return row ?? null;
}
