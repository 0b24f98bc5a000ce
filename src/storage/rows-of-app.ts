import type { AppScope } from '../shared/app.ts';
import type { Db, Tx } from './postgres.ts';

type Scope = { orgId: string; appId: string | null };

export const existsInApp =
  (table: string, key: string) =>
  async (db: Db, { orgId, appId }: Scope, id: string): Promise<boolean> => {
    const rows = await db`
      SELECT 1 FROM ${db(table)}
      WHERE org_id = ${orgId} AND app_id = ${appId} AND ${db(key)} = ${id}`;
    return rows.length > 0;
  };

export const deleteInApp =
  (table: string, key: string) =>
  async (db: Db, { orgId, appId }: Scope, id: string): Promise<boolean> => {
    const rows = await db`
      DELETE FROM ${db(table)}
      WHERE org_id = ${orgId} AND app_id = ${appId} AND ${db(key)} = ${id} RETURNING 1`;
    return rows.length > 0;
  };

export async function lockApp(tx: Tx, { orgId, appId }: AppScope): Promise<void> {
  await tx`
    SELECT FROM apps WHERE org_id = ${orgId} AND app_id = ${appId} FOR NO KEY UPDATE`;
}
