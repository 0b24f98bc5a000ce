import type { AppScope } from '../../shared/app.ts';
import { notFound } from '../../shared/errors.ts';
import { parser } from '../../shared/schema.ts';
import { type Db, type Tx, done } from '../../storage/postgres.ts';
import {
  type AppRetention,
  type AppSettings,
  type AppSettingsPatch,
  PinnedViews,
} from './model.ts';

const pinnedViews = parser(PinnedViews, 'apps.pinned_views');

type SettingsRow = { timezone: string; pinned_views: unknown };
const toSettings = (row: SettingsRow): AppSettings => ({
  timezone: row.timezone,
  pinnedViews: pinnedViews.parse(row.pinned_views),
});

export type AppLimit = { name: string; points: number };

export async function findOrganizationOfApp(db: Db, appId: string): Promise<string | undefined> {
  const rows = await db<{ org_id: string }[]>`
    SELECT org_id FROM apps WHERE app_id = ${appId} AND deleted_at IS NULL`;
  return rows[0]?.org_id;
}

export const listLimits = async (db: Db, orgId: string, appId: string) => db<AppLimit[]>`
    SELECT name, points FROM app_limits
    WHERE org_id = ${orgId} AND app_id = ${appId} ORDER BY name`;

export const upsertLimit = (
  db: Db,
  { orgId, appId, name, points }: AppLimit & { orgId: string; appId: string },
) =>
  done(db`
    INSERT INTO app_limits (app_id, org_id, name, points)
    VALUES (${appId}, ${orgId}, ${name}, ${points})
    ON CONFLICT (app_id, name) DO UPDATE SET points = excluded.points`);

export const deleteLimit = (
  db: Db,
  { orgId, appId, name }: { orgId: string; appId: string; name: string },
) =>
  done(db`
    DELETE FROM app_limits WHERE org_id = ${orgId} AND app_id = ${appId} AND name = ${name}`);

export async function findRetention(
  db: Db,
  { orgId, appId }: AppScope,
): Promise<AppRetention | undefined> {
  const rows = await db<AppRetention[]>`
    SELECT event_retention_days AS "eventDays", log_retention_days AS "logDays",
      notification_retention_days AS "notificationDays"
    FROM app_datasets JOIN apps USING (org_id, app_id)
    WHERE org_id = ${orgId} AND app_id = ${appId} AND apps.deleted_at IS NULL`;
  return rows[0];
}

/** Locks until the transaction ends. */
export async function lockRetention(
  tx: Tx,
  { orgId, appId }: AppScope,
): Promise<AppRetention | undefined> {
  await tx`SELECT 1 FROM app_datasets WHERE org_id = ${orgId} AND app_id = ${appId} FOR UPDATE`;
  return findRetention(tx, { orgId, appId });
}

export const updateRetention = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { eventDays, logDays, notificationDays }: AppRetention,
) =>
  done(tx`
    UPDATE app_datasets SET event_retention_days = ${eventDays}, log_retention_days = ${logDays},
      notification_retention_days = ${notificationDays}
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export async function selectSettings(db: Db, { orgId, appId }: AppScope): Promise<AppSettings> {
  const [settings] = await db<SettingsRow[]>`
    SELECT timezone, pinned_views FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL`;
  if (!settings) throw notFound();
  return toSettings(settings);
}

export async function updateSettings(
  db: Db,
  { orgId, appId }: AppScope,
  { timezone, pinnedViews: pinned }: AppSettingsPatch,
): Promise<AppSettings> {
  const [settings] = await db<SettingsRow[]>`
    UPDATE apps SET timezone = coalesce(${timezone ?? null}, timezone),
      pinned_views = coalesce(${pinned ? JSON.stringify(pinned) : null}::text::jsonb, pinned_views)
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL
    RETURNING timezone, pinned_views`;
  if (!settings) throw notFound();
  return toSettings(settings);
}
