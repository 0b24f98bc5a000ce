import { toIso } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import type { PersonLink } from '../resolve.ts';

export type AppAndId = { appId: string; id: string };

export type KnownLink = { appId: string; anonymousId: string; userId: string };

/** The mappings of these anonymous ids, of any apps at once. */
export async function findLinks(sql: Db, ids: readonly AppAndId[]): Promise<KnownLink[]> {
  if (ids.length === 0) return [];
  return sql<KnownLink[]>`
    SELECT app_id AS "appId", anonymous_id AS "anonymousId", user_id AS "userId"
    FROM event_people
    JOIN unnest(${ids.map((one) => one.appId)}::text[], ${ids.map((one) => one.id)}::text[])
      AS wanted(app_id, anonymous_id) USING (app_id, anonymous_id)`;
}

export async function insertLinks(
  tx: Tx,
  links: readonly PersonLink[],
  seq: number,
): Promise<void> {
  if (links.length === 0) return;
  await tx`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    SELECT *, ${seq}::bigint FROM unnest(
      ${links.map((link) => link.appId)}::text[],
      ${links.map((link) => link.anonymousId)}::text[],
      ${links.map((link) => link.userId)}::text[],
      ${links.map((link) => link.orgId)}::text[],
      ${links.map((link) => toIso(new Date(link.mappedAtMs)))}::timestamptz[])
    ON CONFLICT DO NOTHING`;
}

/** The mappings of an app made after its files were resolved. */
export async function linksAfter(
  sql: Db,
  appId: string,
  seq: number,
): Promise<{ anonymousId: string; userId: string }[]> {
  return sql`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId"
    FROM event_people WHERE app_id = ${appId} AND catalogued_seq > ${seq}`;
}

/** The hash under which an erased id is remembered for good. */
export function subjectHash(appId: string, id: string): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([appId, id])).digest('hex');
}

/** Hashes of everyone erased in these apps: few, so they are read whole. */
export async function erasedHashes(sql: Db, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ subject_hash: string }[]>`
    SELECT subject_hash FROM event_erasures WHERE app_id = ANY(${[...appIds]})`;
  return new Set(rows.map((row) => row.subject_hash));
}

export async function deletedApps(sql: Db, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ app_id: string }[]>`
    SELECT app_id FROM event_deleted_apps WHERE app_id = ANY(${[...appIds]})`;
  return new Set(rows.map((row) => row.app_id));
}

/** The anonymous ids that mean this user. */
export async function anonymousIdsOf(
  sql: Db,
  { orgId, appId }: { orgId: string; appId: string },
  userId: string,
): Promise<string[]> {
  const rows = await sql<{ anonymous_id: string }[]>`
    SELECT anonymous_id FROM event_people
    WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = ${userId} ORDER BY anonymous_id`;
  return rows.map((row) => row.anonymous_id);
}
