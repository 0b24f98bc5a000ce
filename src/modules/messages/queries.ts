import { Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { wantedSchedules } from '../../storage/wanted-runs.ts';
import { Message, MessageSettings, type NewMessage, QuietHours } from './model.ts';

const toSettings = rowParser(MessageSettings, 'message_settings row');
const settingsColumns = (db: Db) => db`
  s.alerts, s.subscribers, s.refunds, s.billing_problems, s.watches, s.quiet_hours`;

export async function selectMessageSettings(
  db: Db,
  orgId: string,
): Promise<MessageSettings | null> {
  const [row] = await db`
    SELECT ${settingsColumns(db)} FROM message_settings s WHERE s.org_id = ${orgId}`;
  return row ? toSettings(row) : null;
}

const quietJson = (quietHours: QuietHours | null) =>
  quietHours === null ? null : JSON.stringify(quietHours);

export async function upsertMessageSettings(
  db: Db,
  orgId: string,
  { alerts, subscribers, refunds, billingProblems, watches, quietHours }: MessageSettings,
  at: Date,
): Promise<void> {
  await db`
    INSERT INTO message_settings (org_id, alerts, subscribers, refunds, billing_problems,
      watches, quiet_hours, updated_at)
    VALUES (${orgId}, ${alerts}, ${subscribers}, ${refunds}, ${billingProblems}, ${watches},
      ${quietJson(quietHours)}::text::jsonb, ${at})
    ON CONFLICT (org_id) DO UPDATE SET alerts = EXCLUDED.alerts,
      subscribers = EXCLUDED.subscribers, refunds = EXCLUDED.refunds,
      billing_problems = EXCLUDED.billing_problems, watches = EXCLUDED.watches,
      quiet_hours = EXCLUDED.quiet_hours, updated_at = EXCLUDED.updated_at, run_ensured_at = NULL`;
}

export async function switchMessagesOff(db: Db, orgId: string, at: Date): Promise<void> {
  await db`
    INSERT INTO message_settings (org_id, alerts, subscribers, refunds, billing_problems, watches,
      updated_at)
    VALUES (${orgId}, false, false, false, false, false, ${at})
    ON CONFLICT (org_id) DO UPDATE SET alerts = false, subscribers = false, refunds = false,
      billing_problems = false, watches = false, updated_at = EXCLUDED.updated_at,
      run_ensured_at = NULL`;
}

export const alertSchedules = wantedSchedules({ table: 'message_settings', isOn: 'alerts' });

/** Unless it is known or its kind is off. */
export async function insertMessage(
  db: Db,
  { orgId, at }: { orgId: string; at: Date },
  { messageId, appId, kind, text }: NewMessage,
): Promise<void> {
  await db`
    INSERT INTO messages (org_id, message_id, app_id, kind, text, created_at)
    SELECT ${orgId}, ${messageId}, ${appId}, ${kind}, ${text}, ${at}::timestamptz
    FROM (SELECT 1) AS one LEFT JOIN message_settings s ON s.org_id = ${orgId}
    WHERE CASE ${kind}::text WHEN 'alert' THEN s.alerts
      WHEN 'subscriber' THEN s.subscribers WHEN 'refund' THEN s.refunds
      WHEN 'watch' THEN coalesce(s.watches, true) ELSE s.billing_problems END
    ON CONFLICT DO NOTHING`;
}

const toPending = rowParser(
  Type.Object({ orgId: Type.String(), quietHours: Nullable(QuietHours) }),
  'organization with messages',
);
type PendingOrganization = { orgId: string; quietHours: QuietHours | null };

/** With unsent messages; one index probe each. */
export async function selectPendingOrganizations(
  db: Db,
  limit: number,
): Promise<PendingOrganization[]> {
  const rows = await db`
    WITH RECURSIVE organizations AS (
      (SELECT org_id FROM messages WHERE bundle_id IS NULL ORDER BY org_id LIMIT 1)
      UNION ALL
      SELECT following.org_id FROM organizations o, LATERAL (
        SELECT org_id FROM messages WHERE bundle_id IS NULL AND org_id > o.org_id
        ORDER BY org_id LIMIT 1) AS following
    )
    SELECT o.org_id, s.quiet_hours
    FROM organizations o LEFT JOIN message_settings s USING (org_id) LIMIT ${limit}`;
  return rows.map(toPending);
}

const toMessage = rowParser(Message, 'messages row');

export async function selectPending(db: Db, orgId: string, limit: number): Promise<Message[]> {
  const rows = await db`
    SELECT m.message_id AS id, m.kind, m.app_id, a.display_name AS app_name, m.text,
      m.created_at AS at
    FROM messages m JOIN apps a
      ON a.app_id = m.app_id AND a.org_id = m.org_id AND a.deleted_at IS NULL
    WHERE m.org_id = ${orgId} AND m.bundle_id IS NULL
    ORDER BY m.created_at, m.message_id LIMIT ${limit}`;
  return rows.map(toMessage);
}

export async function markSent(
  tx: Tx,
  { orgId, bundleId }: { orgId: string; bundleId: string },
  ids: readonly string[],
): Promise<void> {
  await tx`
    UPDATE messages SET bundle_id = ${bundleId}
    WHERE org_id = ${orgId} AND message_id = ANY(${[...ids]}::text[])`;
}
