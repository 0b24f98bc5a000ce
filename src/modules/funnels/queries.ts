import { Type } from '@sinclair/typebox';
import type { AppScope } from '../../shared/app.ts';
import { newId } from '../../shared/ids.ts';
import { type Db, hasRows, done } from '../../storage/postgres.ts';
import { savedRows } from '../../storage/saved-rows.ts';
import { DEFAULT_WINDOW_HOURS, Funnel, ONBOARDING_FUNNEL } from './model.ts';

const Stored = Type.Object({ ...Funnel.properties, name: Type.String() });

export const funnelRows = savedRows(Stored, {
  table: 'funnels',
  key: 'funnel_id',
  plain: ['name', 'isDefault'],
  json: ['steps'],
});
export const { exists: funnelExists, one: findFunnel } = funnelRows;

export const findDefaultFunnel = async (sql: Db, scope: AppScope): Promise<Funnel | null> =>
  (await funnelRows.all(sql, scope)).find(({ isDefault }) => isDefault) ?? null;

export const clearDefault = (sql: Db, { orgId, appId }: AppScope, now: Date) =>
  done(sql`
    UPDATE funnels SET is_default = false, updated_at = ${now}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND is_default`);

export const promoteOldest = (
  sql: Db,
  { orgId, appId }: AppScope,
  now: Date,
  exceptId: string | null = null,
) =>
  done(sql`
    UPDATE funnels SET is_default = true, updated_at = ${now}
    WHERE funnel_id = (
      SELECT funnel_id FROM funnels
      WHERE org_id = ${orgId} AND app_id = ${appId} AND funnel_id IS DISTINCT FROM ${exceptId}
      ORDER BY created_at, funnel_id LIMIT 1)`);

export async function deleteAppFunnels(sql: Db, { orgId, appId }: AppScope): Promise<void> {
  await sql`DELETE FROM funnels WHERE org_id = ${orgId} AND app_id = ${appId}`;
  await sql`DELETE FROM funnel_settings WHERE org_id = ${orgId} AND app_id = ${appId}`;
}

/** No-op for an app with any funnel. */
export async function insertOnboardingFunnel(sql: Db, scope: AppScope, now: Date): Promise<void> {
  const { orgId, appId } = scope;
  const funnel = ONBOARDING_FUNNEL;
  await sql`
    INSERT INTO funnels (funnel_id, org_id, app_id, name, steps, is_default, created_at, updated_at)
    SELECT ${newId('fun')}, ${orgId}, ${appId}, ${funnel.name}, ${sql.json(funnel.steps)},
           true, ${now}, ${now}
    WHERE NOT EXISTS (SELECT 1 FROM funnels WHERE org_id = ${orgId} AND app_id = ${appId})`;
}

export async function windowHours(sql: Db, { orgId, appId }: AppScope): Promise<number> {
  const rows = await sql<{ window_hours: number }[]>`
    SELECT window_hours FROM funnel_settings WHERE org_id = ${orgId} AND app_id = ${appId}`;
  return rows[0]?.window_hours ?? DEFAULT_WINDOW_HOURS;
}

export const upsertWindowHours = (sql: Db, appId: string, hours: number, now: Date) =>
  hasRows(sql`
    INSERT INTO funnel_settings (app_id, org_id, window_hours, updated_at)
    SELECT app_id, org_id, ${hours}, ${now} FROM apps
    WHERE app_id = ${appId} AND deleted_at IS NULL
    ON CONFLICT (app_id) DO UPDATE SET window_hours = ${hours}, updated_at = ${now}
    RETURNING 1`);
