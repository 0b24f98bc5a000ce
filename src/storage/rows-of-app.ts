import type { AppScope } from '../shared/app.ts';
import { type Db, type Fragment, hasRows, type Tx, done } from './postgres.ts';

type Scope = { orgId: string; appId: string | null };

export const existsInApp =
  (table: string, key: string) =>
  async (db: Db, { orgId, appId }: Scope, id: string): Promise<boolean> => {
    return hasRows(db`
      SELECT 1 FROM ${db(table)}
      WHERE org_id = ${orgId} AND app_id = ${appId} AND ${db(key)} = ${id}`);
  };

export const deleteInApp =
  (table: string, key: string) =>
  async (db: Db, { orgId, appId }: Scope, id: string): Promise<boolean> => {
    return hasRows(db`
      DELETE FROM ${db(table)}
      WHERE org_id = ${orgId} AND app_id = ${appId} AND ${db(key)} = ${id} RETURNING 1`);
  };

type Organization = { orgId: string };

export const existsInOrganization =
  (table: string, key: string) =>
  async (db: Db, { orgId }: Organization, id: string): Promise<boolean> => {
    return hasRows(db`
      SELECT 1 FROM ${db(table)} WHERE org_id = ${orgId} AND ${db(key)} = ${id}`);
  };

export const deleteInOrganization =
  (table: string, key: string) =>
  async (db: Db, { orgId }: Organization, id: string): Promise<boolean> => {
    return hasRows(db`
      DELETE FROM ${db(table)} WHERE org_id = ${orgId} AND ${db(key)} = ${id} RETURNING 1`);
  };

export const lockApp = (tx: Tx, { orgId, appId }: AppScope) =>
  done(tx`
    SELECT FROM apps WHERE org_id = ${orgId} AND app_id = ${appId} FOR NO KEY UPDATE`);

export const shareApp = (tx: Tx, { orgId, appId }: AppScope) =>
  done(tx`SELECT FROM apps WHERE org_id = ${orgId} AND app_id = ${appId} FOR SHARE`);

export const isOfLiveApp = (db: Db, row: string): Fragment => db`
  EXISTS (SELECT FROM apps live WHERE live.org_id = ${db(`${row}.org_id`)}
    AND live.app_id = ${db(`${row}.app_id`)} AND live.deleted_at IS NULL)`;

export async function liveAppIds(db: Db, orgId: string): Promise<ReadonlySet<string>> {
  const rows = await db<{ appId: string }[]>`
    SELECT app_id AS "appId" FROM apps
    WHERE org_id = ${orgId} AND deleted_at IS NULL`;
  return new Set(rows.map(({ appId }) => appId));
}

/** `organizations` with such rows, by one index lookup each. */
export const organizationsWith = (db: Db, table: string, where: Fragment): Fragment => db`
  WITH RECURSIVE organizations AS (
    (SELECT org_id FROM ${db(table)} WHERE ${where} ORDER BY org_id LIMIT 1)
    UNION ALL
    SELECT following.org_id FROM organizations o, LATERAL (
      SELECT org_id FROM ${db(table)} WHERE ${where} AND org_id > o.org_id
      ORDER BY org_id LIMIT 1) AS following
  )`;
