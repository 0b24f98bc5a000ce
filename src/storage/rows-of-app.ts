import type { AppScope } from '../shared/app.ts';
import type { Db, Tx } from './postgres.ts';

type Scope = { orgId: string; appId: string | null };

/** Whether the app has the row; as `owns` of a route asks. */
export const existsInApp =
  (table: string, key: string) =>
  async (db: Db, { orgId, appId }: Scope, id: string): Promise<boolean> => {
    const rows = await db`
      SELECT 1 FROM ${db(table)}
      WHERE org_id = ${orgId} AND app_id = ${appId} AND ${db(key)} = ${id}`;
    return rows.length > 0;
  };

/** False for a row that the app does not have. */
export const deleteInApp =
  (table: string, key: string) =>
  async (db: Db, { orgId, appId }: Scope, id: string): Promise<boolean> => {
    const rows = await db`
      DELETE FROM ${db(table)}
      WHERE org_id = ${orgId} AND app_id = ${appId} AND ${db(key)} = ${id} RETURNING 1`;
    return rows.length > 0;
  };

/** One change at a time; rows that refer to the app still come. */
export async function lockApp(tx: Tx, { orgId, appId }: AppScope): Promise<void> {
  await tx`
    SELECT FROM apps WHERE org_id = ${orgId} AND app_id = ${appId} FOR NO KEY UPDATE`;
}
