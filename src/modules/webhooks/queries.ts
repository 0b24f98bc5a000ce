import { lockSubject } from '../../storage/locks.ts';
import { type Db, hasRows, toColumns, type Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import type { WebhookEventType } from './events.ts';
import { Webhook } from './model.ts';

type OrgScope = { orgId: string };

const parseWebhook = rowParser(Webhook, 'webhooks row');
const toWebhook = ({ entitlements, ...row }: Record<string, unknown>): Webhook =>
  parseWebhook(
    Array.isArray(entitlements) && entitlements.length > 0 ? { ...row, entitlements } : row,
  );
const webhookColumns = (db: Db) => db`
  webhook_id AS id, url, events, entitlements, created_at, disabled_at,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS previous_secret_until`;

export async function selectWebhooks(db: Db, orgId: string): Promise<Webhook[]> {
  const rows = await db`
    SELECT ${webhookColumns(db)} FROM webhooks WHERE org_id = ${orgId}
    ORDER BY created_at, webhook_id`;
  return rows.map(toWebhook);
}

export function webhookExists(db: Db, { orgId }: OrgScope, id: string): Promise<boolean> {
  return hasRows(db`SELECT 1 FROM webhooks WHERE org_id = ${orgId} AND webhook_id = ${id}`);
}

type NewWebhook = {
  id: string;
  orgId: string;
  url: string;
  events: readonly string[];
  entitlements: readonly string[];
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
    INSERT INTO webhooks (webhook_id, org_id, url, events, entitlements, sealed_secret, created_at)
    SELECT ${hook.id}, ${hook.orgId}, ${hook.url}, ${[...hook.events]},
      ${[...hook.entitlements]}, ${hook.sealedSecret}, ${hook.at}
    WHERE (SELECT count(*) FROM webhooks WHERE org_id = ${hook.orgId}) < ${max}
    RETURNING ${webhookColumns(tx)}`;
  return row ? toWebhook(row) : null;
}

export function deleteWebhookRow(db: Db, orgId: string, id: string): Promise<boolean> {
  return hasRows(db`
    DELETE FROM webhooks WHERE org_id = ${orgId} AND webhook_id = ${id} RETURNING 1`);
}

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

export type WebhookChange = {
  url?: string;
  events?: string[];
  entitlements?: string[];
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
