import type { Db } from '../storage/postgres.ts';
import type { RunScope } from '../temporal/contracts/workflow.ts';

export async function selectScopeNames(
  db: Db,
  { orgId, appId }: RunScope,
): Promise<string[] | null> {
  const rows = await db<{ name: string }[]>`
    SELECT name FROM (
      SELECT 1 AS place, display_name AS name FROM apps WHERE org_id = ${orgId} AND app_id = ${appId ?? null}
      UNION ALL SELECT 2, name FROM auth.organization WHERE id = ${orgId}
    ) AS named ORDER BY place`;
  return rows.length === 0 ? null : rows.map(({ name }) => name);
}
