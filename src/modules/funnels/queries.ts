import { Type } from '@sinclair/typebox';
import { rowParser } from '../../storage/row-parser.ts';
import type { AppScope } from '../../shared/app.ts';
import { newId } from '../../shared/ids.ts';
import { type Db, hasRows, done } from '../../storage/postgres.ts';
import { existsInApp } from '../../storage/rows-of-app.ts';
import {
  DEFAULT_WINDOW_HOURS,
  Funnel,
  type FunnelStep,
  type NewFunnel,
  ONBOARDING_FUNNEL,
} from './model.ts';

const columns = (db: Db) => db`
  funnel_id AS id, app_id, name, steps, is_default, created_at, updated_at`;

const Stored = Type.Object({ ...Funnel.properties, name: Type.String() });
const funnelRows = rowParser(Stored, 'stored funnel');

export const selectFunnels = (sql: Db, { orgId, appId }: AppScope) =>
  funnelRows.all(sql`
    SELECT ${columns(sql)} FROM funnels WHERE org_id = ${orgId} AND app_id = ${appId}
    ORDER BY is_default DESC, created_at, funnel_id`);

export const findFunnel = (sql: Db, { orgId, appId }: AppScope, funnelId: string) =>
  funnelRows.first(sql`
    SELECT ${columns(sql)} FROM funnels
    WHERE org_id = ${orgId} AND app_id = ${appId} AND funnel_id = ${funnelId}`);

export const funnelExists = existsInApp('funnels', 'funnel_id');

export const findDefaultFunnel = (sql: Db, { orgId, appId }: AppScope) =>
  funnelRows.first(sql`
    SELECT ${columns(sql)} FROM funnels WHERE org_id = ${orgId} AND app_id = ${appId} AND is_default`);

export const clearDefault = (sql: Db, { orgId, appId }: AppScope, now: Date) =>
  done(sql`
    UPDATE funnels SET is_default = false, updated_at = ${now}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND is_default`);

export const insertFunnel = (sql: Db, { orgId, appId }: AppScope, funnel: NewFunnel, now: Date) =>
  funnelRows.only(sql`
    INSERT INTO funnels (funnel_id, org_id, app_id, name, steps, is_default, created_at, updated_at)
    VALUES (${newId('fun')}, ${orgId}, ${appId}, ${funnel.name}, ${sql.json(funnel.steps)},
            ${funnel.isDefault ?? false}, ${now}, ${now})
    RETURNING ${columns(sql)}`);

export const updateFunnelRow = (
  sql: Db,
  { orgId, appId }: AppScope,
  funnelId: string,
  funnel: { name: string; steps: FunnelStep[]; isDefault: boolean },
  now: Date,
) =>
  funnelRows.first(sql`
    UPDATE funnels
    SET name = ${funnel.name}, steps = ${sql.json(funnel.steps)},
        is_default = ${funnel.isDefault}, updated_at = ${now}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND funnel_id = ${funnelId}
    RETURNING ${columns(sql)}`);

export async function deleteFunnelRow(
  sql: Db,
  { orgId, appId }: AppScope,
  funnelId: string,
): Promise<{ wasDefault: boolean } | null> {
  const rows = await sql<{ is_default: boolean }[]>`
    DELETE FROM funnels
    WHERE org_id = ${orgId} AND app_id = ${appId} AND funnel_id = ${funnelId}
    RETURNING is_default`;
  return rows[0] ? { wasDefault: rows[0].is_default } : null;
}

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
