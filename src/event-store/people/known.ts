import type { Db } from '../../storage/postgres.ts';
import type { EventRow } from '../columns.ts';
import type { Known } from '../resolve.ts';
import { deletedApps, erasedHashes, findLinks, subjectHash } from './queries.ts';

const idKey = (appId: string, id: string) => `${appId}\u0000${id}`;

/** Everything about people that decides what becomes of these rows, read from the database. */
export async function knownPeople(
  sql: Db,
  rows: readonly EventRow[],
): Promise<Omit<Known, 'keys'>> {
  const wanted = new Map<string, { appId: string; id: string }>();
  for (const { appId, anonymousId } of rows) {
    wanted.set(idKey(appId, anonymousId), { appId, id: anonymousId });
  }
  const appIds = [...new Set(rows.map((row) => row.appId))];
  const [links, erased, deleted] = await Promise.all([
    findLinks(sql, [...wanted.values()]),
    erasedHashes(sql, appIds),
    deletedApps(sql, appIds),
  ]);
  const users = new Map(links.map((link) => [idKey(link.appId, link.anonymousId), link.userId]));
  return {
    userOf: (appId, anonymousId) => users.get(idKey(appId, anonymousId)),
    isErased: (appId, id) => erased.size > 0 && erased.has(subjectHash(appId, id)),
    isDeleted: (appId) => deleted.has(appId),
  };
}
