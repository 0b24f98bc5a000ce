import { spellingsOf } from '../../shared/account-token.ts';
import type { AppScope } from '../../shared/app.ts';
import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import { type Db, hasRows, type Tx, column } from '../../storage/postgres.ts';
import { shareApp } from '../../storage/rows-of-app.ts';
import { isUserOfOther } from '../catalogue/sources-queries.ts';
import * as persons from '../event/person.ts';

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

export async function findAliases(
  sql: Db,
  ids: readonly persons.IdInApp[],
): Promise<persons.Alias[]> {
  if (ids.length === 0) return [];
  return sql<persons.Alias[]>`
    SELECT app_id AS "appId", anonymous_id AS "anonymousId", user_id AS "userId"
    FROM event_people
    JOIN unnest(${ids.map(({ appId }) => appId)}::text[], ${ids.map(({ id }) => id)}::text[])
      AS wanted(app_id, anonymous_id) USING (app_id, anonymous_id)`;
}

export async function isAnyUserOfOther(
  sql: Db,
  scope: AppScope,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  return hasRows(sql`
    SELECT 1 FROM unnest(${[...ids]}::text[]) AS d(id)
    WHERE ${isUserOfOther(sql, scope, sql`d.id`)} LIMIT 1`);
}

/** The first alias of a device wins. */
export async function insertAliases(
  tx: Tx,
  aliases: readonly persons.NewAlias[],
  seq: number,
): Promise<void> {
  if (aliases.length === 0) return;
  await tx`
    WITH made AS (
      INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
      SELECT *, ${seq}::bigint FROM unnest(
        ${aliases.map((alias) => alias.appId)}::text[],
        ${aliases.map((alias) => alias.anonymousId)}::text[],
        ${aliases.map((alias) => alias.userId)}::text[],
        ${aliases.map((alias) => alias.orgId)}::text[],
        ${aliases.map((alias) => toIso(new Date(alias.mappedAtMs)))}::timestamptz[])
      ON CONFLICT DO NOTHING RETURNING app_id, org_id)
    INSERT INTO event_alias_counts AS c (app_id, org_id, aliases)
    SELECT app_id, org_id, count(*) FROM made GROUP BY app_id, org_id ORDER BY app_id
    ON CONFLICT (app_id) DO UPDATE SET aliases = c.aliases + excluded.aliases`;
}

export async function erasedHashes(
  sql: Db,
  appIds: readonly string[],
): Promise<Map<string, persons.Tombstone>> {
  const rows = await sql<(persons.Tombstone & { hash: string })[]>`
    SELECT subject_hash AS hash, erased_at AS "erasedAt", erased_as AS "erasedAs"
    FROM event_erasures WHERE app_id = ANY(${[...appIds]})`;
  return new Map(rows.map(({ hash, ...tombstone }) => [hash, tombstone]));
}

export async function selectErased(
  db: Db,
  { orgId, appId }: AppScope,
  ids: readonly string[],
  as: 'person' | 'device' = 'person',
): Promise<ReadonlySet<string>> {
  const byHash = new Map(ids.map((id) => [persons.subjectHash(appId, id), id]));
  if (byHash.size === 0) return new Set();
  const rows = await db<{ hash: string }[]>`
    SELECT subject_hash AS hash FROM event_erasures
    WHERE org_id = ${orgId} AND app_id = ${appId}
      AND subject_hash = ANY(${[...byHash.keys()]}) AND erased_as IN ('both', ${as})`;
  return new Set(rows.map(({ hash }) => must(byHash.get(hash), 'only these hashes are selected')));
}

export async function selectErasedAnywhere(
  db: Db,
  orgId: string,
  ids: readonly string[],
  as: 'person' | 'device' = 'person',
): Promise<ReadonlySet<string>> {
  const named = [...new Set(ids)].filter((id) => !id.includes('\0'));
  if (named.length === 0) return new Set();
  const rows = await column(db<{ id: string }[]>`
    WITH erasing AS MATERIALIZED (
      SELECT app_id, '[' || to_json(app_id)::text || ',' AS before FROM (
        SELECT app_id FROM apps WHERE org_id = ${orgId}
        UNION SELECT app_id FROM event_deleted_apps WHERE org_id = ${orgId}) a
      WHERE EXISTS (SELECT FROM event_erasures e WHERE e.app_id = a.app_id)),
    named AS MATERIALIZED (
      SELECT id, to_json(id)::text || ']' AS after FROM unnest(${named}::text[]) AS sent(id)),
    asked AS MATERIALIZED (
      SELECT app_id, id, encode(sha256(convert_to(before || after, 'UTF8')), 'hex') AS subject_hash
      FROM erasing CROSS JOIN named)
    SELECT a.id FROM asked a JOIN event_erasures e USING (app_id, subject_hash)
    WHERE e.org_id = ${orgId} AND e.erased_as IN ('both', ${as}) AND NOT EXISTS (
      SELECT FROM event_people p WHERE p.org_id = ${orgId} AND p.app_id <> a.app_id
        AND (p.user_id = a.id OR p.anonymous_id = a.id))`);
  return new Set(rows);
}

/** An erasure locks the app. */
export async function refuseErased(
  tx: Tx,
  scope: AppScope,
  ids: readonly string[],
  as?: 'person' | 'device',
): Promise<void> {
  await shareApp(tx, scope);
  if ((await selectErased(tx, scope, ids.flatMap(spellingsOf), as)).size === 0) return;
  throw new AppError('conflict', 'This person was erased.', {
    hint: 'Nothing can be stored for an erased person.',
  });
}

export const erasedSince = (sql: Db, appIds: readonly string[], seq: number) =>
  hasRows(sql`
    SELECT 1 FROM event_erasures WHERE app_id = ANY(${[...appIds]}) AND seq > ${seq} LIMIT 1`);

export async function deletedApps(sql: Db, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ app_id: string }[]>`
    SELECT app_id FROM event_deleted_apps WHERE app_id = ANY(${[...appIds]})`;
  return new Set(rows.map((row) => row.app_id));
}

export const selectAnonymousIds = (sql: Db, { orgId, appId }: AppScope, userId: string) =>
  column(sql<{ anonymous_id: string }[]>`
    SELECT anonymous_id FROM event_people
    WHERE org_id = ${orgId} AND app_id = ${appId} AND user_id = ${userId} ORDER BY anonymous_id`);
