import type { AppScope } from '../shared/app.ts';
import { type Db, type Fragment, hasRows, type Tx } from './postgres.ts';

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

export async function lockApp(tx: Tx, { orgId, appId }: AppScope): Promise<void> {
  await tx`
    SELECT FROM apps WHERE org_id = ${orgId} AND app_id = ${appId} FOR NO KEY UPDATE`;
}

export const isOfLiveApp = (db: Db, row: string): Fragment => db`
  EXISTS (SELECT FROM apps live WHERE live.org_id = ${db(`${row}.org_id`)}
    AND live.app_id = ${db(`${row}.app_id`)} AND live.deleted_at IS NULL)`;
