import type { AppScope } from '../../../shared/app.ts';
import { toIso } from '../../../shared/time.ts';
import { lockSubject } from '../../../storage/locks.ts';
import type { Db, Sql } from '../../../storage/postgres.ts';
import type { SentName } from './model.ts';

export const MAX_SENT_NAMES = 5_000;

export type NameRow = { sentName: string; name: string };

export const selectNames = async (db: Db, { orgId, appId }: AppScope) => db<NameRow[]>`
    SELECT sent_name AS "sentName", name FROM event_names
    WHERE org_id = ${orgId} AND app_id = ${appId} LIMIT ${MAX_SENT_NAMES}`;

export type Claim = { sentName: string; wanted: string; candidates: readonly string[] };

export async function insertNames(
  sql: Sql,
  { orgId, appId }: AppScope,
  claims: readonly Claim[],
): Promise<NameRow[]> {
  const sent = claims.map(({ sentName }) => sentName);
  return sql.begin(async (tx) => {
    await lockSubject(tx, 'eventNames', appId);
    for (const round of [0, 1, 2]) {
      await tx`
        INSERT INTO event_names (org_id, app_id, sent_name, name, wanted)
        SELECT ${orgId}, ${appId}, sent_name, name, wanted FROM unnest(${sent}::text[],
          ${claims.map(({ candidates }) => candidates[round] ?? '')}::text[],
          ${claims.map(({ wanted }) => wanted)}::text[])
          WITH ORDINALITY AS n (sent_name, name, wanted, place)
        WHERE NOT EXISTS (SELECT FROM event_deleted_apps d WHERE d.app_id = ${appId})
          AND NOT EXISTS (SELECT FROM event_names e
            WHERE e.org_id = ${orgId} AND e.app_id = ${appId} AND e.sent_name = n.sent_name)
        ORDER BY place
        LIMIT greatest(0, ${MAX_SENT_NAMES} - (SELECT count(*) FROM event_names e
          WHERE e.org_id = ${orgId} AND e.app_id = ${appId}))
        ON CONFLICT DO NOTHING`;
    }
    return tx<NameRow[]>`
      SELECT sent_name AS "sentName", name FROM event_names
      WHERE org_id = ${orgId} AND app_id = ${appId} AND sent_name = ANY(${sent}::text[])`;
  });
}

const MAX_SHOWN = 500;

export async function selectSentNames(db: Db, { orgId, appId }: AppScope): Promise<SentName[]> {
  const rows = await db<(Omit<SentName, 'firstAt'> & { firstAt: Date })[]>`
    SELECT n.name, n.sent_name AS "sentName", n.first_at AS "firstAt",
      CASE WHEN n.wanted <> n.name THEN coalesce(w.sent_name, n.wanted) END AS "takenBy"
    FROM event_names n LEFT JOIN event_names w
      ON w.app_id = n.app_id AND w.name = n.wanted
    WHERE n.org_id = ${orgId} AND n.app_id = ${appId} AND n.name <> n.sent_name
    ORDER BY n.wanted = n.name, n.first_at DESC, n.sent_name LIMIT ${MAX_SHOWN}`;
  return rows.map((row) => ({ ...row, firstAt: toIso(row.firstAt) }));
}
