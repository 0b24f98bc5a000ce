import type { AppScope } from '../../shared/app.ts';
import type { Db, Sql, Tx } from '../../storage/postgres.ts';
import { advanceCatalogue } from '../catalogue/queries.ts';
import { type AppAlias, type DeviceInApp, subjectHash } from '../event/person.ts';
import { selectAnonymousIds } from './queries.ts';

/** Shared files lose the rows later. */
export async function deleteAppEvents(sql: Sql, { orgId, appId }: AppScope): Promise<void> {
  await sql.begin(async (tx) => {
    await advanceCatalogue(tx);
    await tx`
      INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${appId}, ${orgId})
      ON CONFLICT DO NOTHING`;
    await tx`
      UPDATE event_files f SET state = 'retired', retired_at = now()
      FROM event_file_apps a
      WHERE a.org_id = ${orgId} AND a.app_id = ${appId} AND f.file_id = a.file_id
        AND f.state = 'live' AND NOT EXISTS (
          SELECT FROM event_file_apps b WHERE b.file_id = a.file_id AND b.app_id <> a.app_id)`;
    await tx`DELETE FROM event_file_apps WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_people WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_alias_counts WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_erasures WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_ingestion_hours WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_rejections WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_import_adopted WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_import_chunks WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_import_repeats WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_property_uses WHERE org_id = ${orgId} AND app_id = ${appId}`;
    await tx`DELETE FROM event_undone_imports WHERE org_id = ${orgId} AND app_id = ${appId}`;
  });
}

export type PersonIdentity = {
  /** User id, else anonymous id. */
  personId: string;
  anonymousIds: string[];
};

export async function findIdentity(
  db: Db,
  { orgId, appId }: AppScope,
  id: string,
  hot: readonly AppAlias[],
): Promise<PersonIdentity> {
  const [stored] = await db<{ user_id: string }[]>`
    SELECT user_id FROM event_people
    WHERE org_id = ${orgId} AND app_id = ${appId} AND anonymous_id = ${id}`;
  const inLog = hot.find((alias) => alias.anonymousId === id)?.userId;
  const personId = stored?.user_id ?? inLog ?? id;
  const inDatabase = await selectAnonymousIds(db, { orgId, appId }, personId);
  const aliases = hot.filter((alias) => alias.userId === personId);
  const ofLog = aliases.map(({ anonymousId }) => anonymousId);
  return { personId, anonymousIds: [...new Set([...inDatabase, ...ofLog])].toSorted() };
}

/** As far as events are compacted. */
export async function devicesOfUsers(
  sql: Db,
  { orgId, appId }: AppScope,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ anonymousId: string }[]>`
    SELECT anonymous_id AS "anonymousId" FROM event_people
    WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = ANY(${[...userIds]}::text[])`;
  return rows.map(({ anonymousId }) => anonymousId);
}

export async function idsOfPerson(
  db: Db,
  scope: AppScope,
  id: string,
  hot: readonly AppAlias[],
): Promise<string[]> {
  const { personId, anonymousIds } = await findIdentity(db, scope, id, hot);
  return [...new Set([id, personId, ...anonymousIds])];
}

/** Must come last: locks the catalogue to the transaction's end. */
export async function eraseFromEvents(
  tx: Tx,
  scope: AppScope,
  personId: string,
  hot: readonly AppAlias[],
): Promise<void> {
  const seq = await advanceCatalogue(tx);
  const ids = await idsOfPerson(tx, scope, personId, hot);
  await tx`
    INSERT INTO event_erasures (app_id, org_id, subject_hash, subject, seq)
    SELECT ${scope.appId}, ${scope.orgId}, hash, id, ${seq}
    FROM unnest(${ids.map((id) => subjectHash(scope.appId, id))}::text[], ${ids}::text[])
      AS t(hash, id)
    ON CONFLICT (app_id, subject_hash) DO UPDATE SET subject = excluded.subject, seq = excluded.seq`;
  await tx`
    DELETE FROM event_people WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND anonymous_id = ANY(${ids})`;
}

export async function eraseDevices(
  tx: Tx,
  devices: readonly DeviceInApp[],
  seq: number,
): Promise<void> {
  if (devices.length === 0) return;
  await tx`
    INSERT INTO event_erasures (app_id, org_id, subject_hash, subject, seq, repeat_due)
    SELECT *, ${seq}::bigint, true FROM unnest(
      ${devices.map(({ appId }) => appId)}::text[], ${devices.map(({ orgId }) => orgId)}::text[],
      ${devices.map(({ appId, id }) => subjectHash(appId, id))}::text[],
      ${devices.map(({ id }) => id)}::text[])
    ON CONFLICT (app_id, subject_hash) DO NOTHING`;
}

export type RepeatableErasure = AppScope & { personId: string };

export async function repeatableErasures(db: Db, limit: number): Promise<RepeatableErasure[]> {
  return db<RepeatableErasure[]>`
    SELECT org_id AS "orgId", app_id AS "appId", subject AS "personId" FROM event_erasures
    WHERE repeat_due AND subject IS NOT NULL ORDER BY erased_at LIMIT ${limit}`;
}

export async function finishRepeated(tx: Tx, erasure: RepeatableErasure): Promise<void> {
  const { orgId, appId, personId } = erasure;
  await tx`
    UPDATE event_erasures SET repeat_due = false WHERE org_id = ${orgId} AND app_id = ${appId}
      AND subject_hash = ${subjectHash(appId, personId)}`;
}

/** Tombstones stay. */
export async function finishErasures(db: Db): Promise<number> {
  const done = await db`
    UPDATE event_erasures e SET subject = NULL
    WHERE subject IS NOT NULL AND NOT repeat_due AND NOT EXISTS (
      SELECT 1 FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE a.app_id = e.app_id AND f.state = 'live' AND f.people_seq < e.seq)
    RETURNING 1`;
  return done.length;
}
