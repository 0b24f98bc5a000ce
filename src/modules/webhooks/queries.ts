import { lockSubject } from '../../storage/locks.ts';
import { type Db, toColumns, type Tx, column, done, firstRow } from '../../storage/postgres.ts';
import { rowParser, rowsOf } from '../../storage/row-parser.ts';
import { deleteInOrganization, existsInOrganization } from '../../storage/rows-of-app.ts';
import { EVENT_RECEIVED, type WebhookEventType } from './events.ts';
import { Webhook } from './model.ts';

const parseWebhook = rowParser(Webhook, 'webhooks row');
const isUsual = (name: string, value: unknown): boolean =>
  (name === 'entitlements' && Array.isArray(value) && value.length === 0) ||
  (name === 'event_names' && Array.isArray(value) && value.length === 0) ||
  (name === 'event_one_in' && value === 1) ||
  (name === 'events_left_out_at' && value === null);
const toWebhook = (row: Record<string, unknown>): Webhook =>
  parseWebhook(
    Object.fromEntries(Object.entries(row).filter(([name, value]) => !isUsual(name, value))),
  );
const webhookRows = rowsOf(toWebhook);
const webhookColumns = (db: Db) => db`
  webhook_id AS id, url, events, entitlements, event_names, event_one_in, events_left_out_at,
  created_at, disabled_at,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS previous_secret_until`;

export const selectWebhooks = (db: Db, orgId: string) =>
  webhookRows.all(db`
    SELECT ${webhookColumns(db)} FROM webhooks WHERE org_id = ${orgId}
    ORDER BY created_at, webhook_id`);

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

export const selectNamesOfOrganization = (db: Db, orgId: string, names: readonly string[]) =>
  column(db<{ name: string }[]>`
    SELECT DISTINCT name FROM purchase_entitlements
    WHERE org_id = ${orgId} AND name = ANY(${[...names]})`);

export const insertWebhook = (tx: Tx, hook: NewWebhook, max: number) =>
  webhookRows.first(tx`
    INSERT INTO webhooks (webhook_id, org_id, url, events, entitlements, event_names, event_one_in,
      sealed_secret, created_at)
    SELECT ${hook.id}, ${hook.orgId}, ${hook.url}, ${[...hook.events]}, ${[...hook.entitlements]},
      ${[...hook.eventNames]}, ${hook.eventOneIn}, ${hook.sealedSecret}, ${hook.at}
    WHERE (SELECT count(*) FROM webhooks WHERE org_id = ${hook.orgId}) < ${max}
    RETURNING ${webhookColumns(tx)}`);

export const deleteWebhookRow = deleteInOrganization('webhooks', 'webhook_id');

export type Subscriber = { webhookId: string; isDisabled: boolean };

export const selectSubscribers = async (
  db: Db,
  orgId: string,
  { type, names }: { type: WebhookEventType; names: readonly string[] | null },
) => db<Subscriber[]>`
    SELECT webhook_id AS "webhookId", disabled_at IS NOT NULL AS "isDisabled" FROM webhooks
    WHERE org_id = ${orgId} AND ${type} = ANY(events)
      AND (${names === null} OR entitlements = '{}' OR entitlements && ${[...(names ?? [])]})
    ORDER BY created_at`;

export type EventSubscriber = Subscriber & { orgId: string; names: string[]; oneIn: number };

export const selectEventSubscribers = async (db: Db, orgIds: readonly string[]) => db<
  EventSubscriber[]
>`
    SELECT webhook_id AS "webhookId", org_id AS "orgId", event_names AS names,
      event_one_in AS "oneIn", disabled_at IS NOT NULL AS "isDisabled"
    FROM webhooks
    WHERE org_id = ANY(${[...orgIds]}) AND event_names <> '{}' AND ${EVENT_RECEIVED} = ANY(events)
    ORDER BY webhook_id`;

export const noteLeftOut = (db: Db, orgId: string, id: string, at: Date) =>
  done(db`
    UPDATE webhooks SET events_left_out_at = ${at} WHERE org_id = ${orgId} AND webhook_id = ${id}`);

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

export const updateWebhook = (db: Db, orgId: string, id: string, change: WebhookChange) =>
  webhookRows.first(db`
    UPDATE webhooks SET ${db(toColumns(change))} WHERE org_id = ${orgId} AND webhook_id = ${id}
    RETURNING ${webhookColumns(db)}`);

export const lockWebhook = (tx: Tx, orgId: string, id: string) =>
  firstRow(tx<{ sealedSecret: string; disabledAt: Date | null }[]>`
    SELECT sealed_secret AS "sealedSecret", disabled_at AS "disabledAt" FROM webhooks
    WHERE org_id = ${orgId} AND webhook_id = ${id} FOR UPDATE`);
