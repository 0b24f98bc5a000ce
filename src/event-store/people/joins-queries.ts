import type { AppScope } from '../../shared/app.ts';
import type { Db } from '../../storage/postgres.ts';

type Known = { id: string; isUser: boolean; userOf: string | null };

export async function selectKnownIds(
  db: Db,
  { orgId, appId }: AppScope,
  ids: readonly string[],
): Promise<Map<string, Known>> {
  const rows = await db<Known[]>`
    SELECT asked.id, p.user_id AS "userOf", EXISTS (SELECT FROM event_people u
      WHERE u.org_id = ${orgId} AND u.app_id = ${appId} AND u.user_id = asked.id) AS "isUser"
    FROM unnest(${[...ids]}::text[]) AS asked(id) LEFT JOIN event_people p
      ON p.org_id = ${orgId} AND p.app_id = ${appId} AND p.anonymous_id = asked.id`;
  return new Map(rows.map((row) => [row.id, row]));
}
