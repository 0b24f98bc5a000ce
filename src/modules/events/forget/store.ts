import type { Db, Sql, Tx } from '../../../storage/postgres.ts';
import { advanceCatalogue, lockCatalogue } from '../catalogue/store.ts';
import { subjectHash } from '../people/store.ts';

export type AppScope = { orgId: string; appId: string };

/** A new number: whatever was read before it is out of date for a commit. */
async function nextSeq(tx: Tx): Promise<number> {
  return advanceCatalogue(tx, await lockCatalogue(tx));
}

/**
 * Takes an app's events out of every answer at once, the ones still in the log and on their way
 * included. What files of many apps hold of it goes when they are next rewritten.
 */
export async function deleteAppEvents(sql: Sql, { orgId, appId }: AppScope): Promise<void> {
  await sql.begin(async (tx) => {
    await nextSeq(tx);
    await tx`
      INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${appId}, ${orgId})
      ON CONFLICT DO NOTHING`;
    await tx`
      UPDATE event_files SET state = 'retired', retired_at = now()
      WHERE org_id = ${orgId} AND app_id = ${appId} AND state = 'live'`;
    await tx`DELETE FROM event_file_apps WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_people WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_erasures WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_ingestion_hours WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_rejections WHERE org_id = ${orgId} AND app_id = ${appId}`;
  });
}

/** The user an id belongs to, and every anonymous id of that user; just the id when it has no map. */
async function idsOfPerson(tx: Tx, { orgId, appId }: AppScope, personId: string) {
  const rows = await tx<{ anonymous_id: string; user_id: string }[]>`
    SELECT anonymous_id, user_id FROM event_people
    WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = coalesce(
      (SELECT user_id FROM event_people WHERE org_id = ${orgId} AND app_id = ${appId}
        AND anonymous_id = ${personId}), ${personId})`;
  return [...new Set([personId, ...rows.flatMap((row) => [row.anonymous_id, row.user_id])])];
}

/** Marks a person as erased and takes them out of the map. Returns every id that meant them. */
export async function eraseFromEvents(
  sql: Sql,
  scope: AppScope,
  personId: string,
): Promise<string[]> {
  return sql.begin(async (tx) => {
    const seq = await nextSeq(tx);
    const ids = await idsOfPerson(tx, scope, personId);
    await tx`
      INSERT INTO event_erasures (app_id, org_id, subject_hash, subject, seq)
      SELECT ${scope.appId}, ${scope.orgId}, hash, id, ${seq}
      FROM unnest(${ids.map((id) => subjectHash(scope.appId, id))}::text[], ${ids}::text[])
        AS t(hash, id)
      ON CONFLICT (app_id, subject_hash) DO UPDATE SET subject = excluded.subject, seq = excluded.seq`;
    await tx`
      DELETE FROM event_people WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
        AND anonymous_id = ANY(${ids})`;
    return ids;
  });
}

/** Drops the plain ids of people of whom no file holds anything any more; the hash stays. */
export async function finishErasures(db: Db): Promise<number> {
  const done = await db`
    UPDATE event_erasures e SET subject = NULL
    WHERE subject IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE a.app_id = e.app_id AND f.state = 'live' AND f.people_seq < e.seq)
    RETURNING 1`;
  return done.length;
}
