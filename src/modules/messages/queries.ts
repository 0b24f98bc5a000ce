import { Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { type Db, firstRow, toColumn, type Tx, done } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { organizationsWith } from '../../storage/rows-of-app.ts';
import { saveWanted, type Wanted, wantedSchedules } from '../../storage/wanted-runs.ts';
import type { DigestSettings } from './digest.model.ts';
import * as model from './model.ts';

const toSettings = rowParser(model.MessageSettings, 'message_settings row');
const settingsColumns = (db: Db) => db`
  s.alerts, s.subscribers, s.refunds, s.billing_problems, s.watches, s.quiet_hours`;

export const selectMessageSettings = (db: Db, orgId: string) =>
  toSettings.first(db`
    SELECT ${settingsColumns(db)} FROM message_settings s WHERE s.org_id = ${orgId}`);

export const saveMessageSettings = (
  db: Db,
  orgId: string,
  settings: Partial<model.MessageSettings>,
  updatedAt: Date,
): Promise<void> => saveWanted(db, 'message_settings', { orgId, ...settings, updatedAt });

export const selectDigestSettings = (db: Db, orgId: string): Promise<DigestSettings | null> =>
  firstRow(db<DigestSettings[]>`
    SELECT is_on AS "isOn", timezone, hour FROM digest_settings WHERE org_id = ${orgId}`);

export const saveDigestSettings = (
  db: Db,
  orgId: string,
  settings: DigestSettings,
  updatedAt: Date,
): Promise<void> => saveWanted(db, 'digest_settings', { orgId, ...settings, updatedAt });

export const switchDigestsOff = (db: Db, orgId: string, at: Date) =>
  done(db`
    UPDATE digest_settings SET is_on = false, updated_at = ${at}, run_ensured_at = NULL
    WHERE org_id = ${orgId} AND is_on`);

export const digestSchedules = wantedSchedules<Omit<DigestSettings, 'isOn'> & Wanted>({
  table: 'digest_settings',
  isOn: 'is_on',
  time: ['timezone', 'hour'],
});

export const alertSchedules = wantedSchedules({ table: 'message_settings', isOn: 'alerts' });

const MAX_CHARACTERS = 300;

/** Once per id, unless its kind is off. */
export async function enqueueMessage(
  tx: Tx,
  { orgId, at }: { orgId: string; at: Date },
  { messageId, appId, kind, ...message }: model.NewMessage,
): Promise<void> {
  const text = message.text.slice(0, MAX_CHARACTERS).toWellFormed();
  await tx`
    INSERT INTO messages (org_id, message_id, app_id, kind, text, created_at)
    SELECT ${orgId}, ${messageId}, ${appId}, ${kind}, ${text}, ${at}::timestamptz
    FROM (SELECT 1) AS one LEFT JOIN message_settings s ON s.org_id = ${orgId}
    WHERE coalesce(s.${tx(toColumn(model.SWITCHES[kind]))}, ${model.NO_SETTINGS[model.SWITCHES[kind]]})
    ON CONFLICT DO NOTHING`;
}

const toPending = rowParser(
  Type.Object({ orgId: Type.String(), quietHours: Nullable(model.QuietHours) }),
  'organization with messages',
);

/** With unsent messages; one index probe each. */
export const selectPendingOrganizations = (db: Db, limit: number) =>
  toPending.all(db`
    ${organizationsWith(db, 'messages', db`bundle_id IS NULL`)}
    SELECT o.org_id, s.quiet_hours
    FROM organizations o LEFT JOIN message_settings s USING (org_id) LIMIT ${limit}`);

const toMessage = rowParser(model.Message, 'messages row');

export const selectPending = (db: Db, orgId: string, limit: number) =>
  toMessage.all(db`
    SELECT m.message_id AS id, m.kind, m.app_id, a.display_name AS app_name, m.text,
      m.created_at AS at
    FROM messages m JOIN apps a
      ON a.app_id = m.app_id AND a.org_id = m.org_id AND a.deleted_at IS NULL
    WHERE m.org_id = ${orgId} AND m.bundle_id IS NULL
    ORDER BY m.created_at, m.message_id LIMIT ${limit}`);

export const markSent = (
  tx: Tx,
  { orgId, bundleId }: { orgId: string; bundleId: string },
  ids: readonly string[],
) =>
  done(tx`
    UPDATE messages SET bundle_id = ${bundleId}
    WHERE org_id = ${orgId} AND message_id = ANY(${[...ids]}::text[])`);
