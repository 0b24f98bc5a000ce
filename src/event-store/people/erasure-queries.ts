import { spellingsOf } from '../../shared/account-token.ts';
import type { AppScope } from '../../shared/app.ts';
import { type Db, type Sql, type Tx, column } from '../../storage/postgres.ts';
import type { PersonIds } from '../../storage/stored-rows.ts';
import { advanceCatalogue } from '../catalogue/queries.ts';
import { isUserOfOther } from '../catalogue/sources-queries.ts';
import { type AppAlias, type DeviceInApp, type ErasedAs, subjectHash } from '../event/person.ts';
import { selectAnonymousIds } from './queries.ts';

export async function deleteAppEvents(sql: Sql, { orgId, appId }: AppScope): Promise<void> {
  await sql.begin(async (tx) => {
    const seq = await advanceCatalogue(tx);
    await tx`
      INSERT INTO event_deleted_apps (app_id, org_id) VALUES (${appId}, ${orgId})
      ON CONFLICT DO NOTHING`;
    await tx`
      UPDATE event_files f SET state = 'retired', retired_at = now()
      FROM event_file_apps a
      WHERE a.org_id = ${orgId} AND a.app_id = ${appId} AND f.file_id = a.file_id
        AND f.state = 'live' AND NOT EXISTS (
          SELECT FROM event_file_apps b WHERE b.file_id = a.file_id AND b.app_id <> a.app_id)`;
    await tx`
      UPDATE event_files SET deleted_seq = ${seq} WHERE state = 'live' AND file_id IN (
        SELECT file_id FROM event_file_apps WHERE org_id = ${orgId} AND app_id = ${appId})`;
    await tx`DELETE FROM event_file_apps WHERE org_id = ${orgId} AND app_id = ${appId}`;
  });
}

export type PersonIdentity = {
  /** User id, else anonymous id. */
  personId: string;
  anonymousIds: string[];
  /** Also those whose id is another person's. */
  devices: string[];
  /** An alias gives the id to another user. */
  isOthersDevice: boolean;
};

async function aliasesOf(
  db: Db,
  { orgId, appId }: AppScope,
  id: string,
  hot: readonly AppAlias[],
): Promise<{ userId: string | undefined; devices: string[] }> {
  const [stored] = await db<{ user_id: string }[]>`
    SELECT user_id FROM event_people
    WHERE org_id = ${orgId} AND app_id = ${appId} AND anonymous_id = ${id}`;
  const inLog = hot.find((alias) => alias.anonymousId === id)?.userId;
  const inDatabase = await selectAnonymousIds(db, { orgId, appId }, id);
  const ofLog = hot.filter(({ userId }) => userId === id).map(({ anonymousId }) => anonymousId);
  return {
    userId: stored?.user_id ?? inLog,
    devices: [...new Set([...inDatabase, ...ofLog])].toSorted(),
  };
}

/** Users of other devices, and erased people. */
async function knownPeopleAmong(
  db: Db,
  { orgId, appId }: AppScope,
  ids: readonly string[],
  hot: readonly AppAlias[],
): Promise<Set<string>> {
  const hashes = ids.map((id) => subjectHash(appId, id));
  const rows = await db<{ id: string }[]>`
    SELECT asked.id FROM unnest(${[...ids]}::text[], ${hashes}::text[]) AS asked(id, hash)
    WHERE ${isUserOfOther(db, { orgId, appId }, db`asked.id`)} OR EXISTS (
      SELECT FROM event_erasures e WHERE e.app_id = ${appId} AND e.org_id = ${orgId}
        AND e.subject_hash = asked.hash AND e.erased_as <> 'device')`;
  const inLog = hot.filter(({ anonymousId, userId }) => anonymousId !== userId);
  const users = new Set(inLog.map(({ userId }) => userId));
  return new Set([...rows.map(({ id }) => id), ...ids.filter((id) => users.has(id))]);
}

/** Only their events show whether they are people. */
export async function findUndecidedIds(
  db: Db,
  scope: AppScope,
  id: string,
  hot: readonly AppAlias[],
): Promise<string[]> {
  const { userId, devices } = await aliasesOf(db, scope, id, hot);
  if (userId !== undefined && userId !== id) {
    devices.push(id, ...(await aliasesOf(db, scope, userId, hot)).devices);
  }
  const asked = [...new Set(devices.flatMap(spellingsOf))];
  const known = await knownPeopleAmong(db, scope, asked, hot);
  return asked.filter((one) => !known.has(one) && (one !== id || userId !== undefined));
}

export async function findIdentity(
  db: Db,
  scope: AppScope,
  id: string,
  hot: readonly AppAlias[],
  people: ReadonlySet<string> = new Set(),
): Promise<PersonIdentity> {
  const isPerson = async (ids: readonly string[]) =>
    new Set([...people, ...(await knownPeopleAmong(db, scope, ids, hot))]);
  const { userId = id } = await aliasesOf(db, scope, id, hot);
  const personId = userId === id || (await isPerson([id])).has(id) ? id : userId;
  const { devices, userId: userOfDevice = personId } = await aliasesOf(db, scope, personId, hot);
  const others = await isPerson(devices.flatMap(spellingsOf));
  others.delete(personId);
  return {
    personId,
    anonymousIds: devices.filter(
      (device) => device === personId || !spellingsOf(device).some((one) => others.has(one)),
    ),
    devices,
    isOthersDevice: userOfDevice !== personId,
  };
}

/** As far as events are compacted. */
export const devicesOfUsers = (sql: Db, { orgId, appId }: AppScope, userIds: readonly string[]) =>
  column(sql<{ anonymousId: string }[]>`
    SELECT anonymous_id AS "anonymousId" FROM event_people d
    WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = ANY(${[...userIds]}::text[])
      AND NOT ${isUserOfOther(sql, { orgId, appId }, sql`d.anonymous_id`)}`);

export const idsOfPerson = (identity: PersonIdentity): PersonIds => {
  const { personId, anonymousIds, devices, isOthersDevice } = identity;
  return {
    ids: [...new Set([personId, ...anonymousIds])],
    devices: [...new Set([...(isOthersDevice ? [] : [personId]), ...devices])],
    spellings: spellingsOf(personId),
  };
};

type Erased = { id: string; erasedAs: ErasedAs };

const toErased = ({ personId, devices, isOthersDevice }: PersonIdentity): Erased[] => [
  { id: personId, erasedAs: isOthersDevice ? 'person' : 'both' },
  ...devices.filter((id) => id !== personId).map((id): Erased => ({ id, erasedAs: 'device' })),
];

/** Must come last: locks the catalogue to the transaction's end. */
export async function eraseFromEvents(
  tx: Tx,
  scope: AppScope,
  personId: string,
  hot: readonly AppAlias[],
  people?: ReadonlySet<string>,
): Promise<void> {
  const seq = await advanceCatalogue(tx);
  const erased = toErased(await findIdentity(tx, scope, personId, hot, people));
  await tx`
    INSERT INTO event_erasures AS e (app_id, org_id, subject_hash, subject, erased_as, seq)
    SELECT ${scope.appId}, ${scope.orgId}, hash, id, erased_as, ${seq}
    FROM unnest(${erased.map(({ id }) => subjectHash(scope.appId, id))}::text[],
      ${erased.map(({ id }) => id)}::text[], ${erased.map(({ erasedAs }) => erasedAs)}::text[])
      AS t(hash, id, erased_as)
    ON CONFLICT (app_id, subject_hash) DO UPDATE SET subject = excluded.subject, seq = excluded.seq,
      erased_as = CASE WHEN e.erased_as = excluded.erased_as THEN e.erased_as ELSE 'both' END`;
  const devices = erased.filter(({ erasedAs }) => erasedAs !== 'person');
  await tx`
    DELETE FROM event_people WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND anonymous_id = ANY(${devices.map(({ id }) => id)})`;
}

export async function eraseDevices(
  tx: Tx,
  devices: readonly DeviceInApp[],
  seq: number,
): Promise<void> {
  if (devices.length === 0) return;
  await tx`
    INSERT INTO event_erasures AS e (app_id, org_id, subject_hash, subject, seq, repeat_due, erased_as)
    SELECT *, ${seq}::bigint, true, 'device' FROM unnest(
      ${devices.map(({ appId }) => appId)}::text[], ${devices.map(({ orgId }) => orgId)}::text[],
      ${devices.map(({ appId, id }) => subjectHash(appId, id))}::text[],
      ${devices.map(({ id }) => id)}::text[])
    ON CONFLICT (app_id, subject_hash) DO UPDATE SET subject = excluded.subject, seq = excluded.seq,
      repeat_due = true, erased_as = 'both' WHERE e.erased_as = 'person'`;
}

export type RepeatableErasure = AppScope & { personId: string };

export const repeatableErasures = async (db: Db, limit: number) => db<RepeatableErasure[]>`
    SELECT org_id AS "orgId", app_id AS "appId", subject AS "personId" FROM event_erasures
    WHERE repeat_due AND subject IS NOT NULL ORDER BY erased_at LIMIT ${limit}`;

export async function finishRepeated(tx: Tx, erasure: RepeatableErasure): Promise<void> {
  const { orgId, appId, personId } = erasure;
  await tx`
    UPDATE event_erasures SET repeat_due = false WHERE org_id = ${orgId} AND app_id = ${appId}
      AND subject_hash = ${subjectHash(appId, personId)}`;
}

const VACUUM_AGAIN_MINUTES = 60;

export async function vacuumErased(sql: Sql, tables: readonly string[]): Promise<void> {
  const due = await sql<{ name: string }[]>`
    SELECT s.relname AS name FROM pg_stat_user_tables s,
      LATERAL (SELECT coalesce(greatest(last_vacuum, last_autovacuum), '-infinity') AS at) AS done
    WHERE s.schemaname = 'public' AND s.n_dead_tup > 0
      AND (s.relname = ANY(${[...tables]}) OR s.relname LIKE 'logs\\_%')
      AND done.at < now() - make_interval(mins => ${VACUUM_AGAIN_MINUTES})
      AND done.at < (SELECT max(erased_at) FROM event_erasures)`;
  for (const { name } of due) await sql`VACUUM (ANALYZE) ${sql(name)}`;
}

/** Tombstones stay. */
export async function finishErasures(db: Db): Promise<number> {
  const done = await db`
    UPDATE event_erasures e SET subject = NULL
    WHERE subject IS NOT NULL AND NOT repeat_due AND NOT EXISTS (
      SELECT 1 FROM event_file_apps a JOIN event_files f USING (file_id)
      WHERE a.app_id = e.app_id AND f.state = 'live'
        AND greatest(f.people_seq, f.erased_seq) < e.seq)
    RETURNING 1`;
  return done.length;
}
