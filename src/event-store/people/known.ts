import type { Db } from '../../storage/postgres.ts';
import type { EventRow } from '../event/columns.ts';
import type { Known } from '../event/resolve.ts';
import {
  deletedApps,
  erasedHashes,
  findAliases,
  type IdInApp,
  idKey,
  subjectHash,
} from './queries.ts';

/** Aliases, erasures and deleted apps that decide what becomes of these rows. */
export async function readKnownPeople(
  sql: Db,
  rows: readonly EventRow[],
): Promise<Omit<Known, 'keys'>> {
  const devices = new Map<string, IdInApp>();
  for (const { appId, anonymousId } of rows) {
    devices.set(idKey(appId, anonymousId), { appId, id: anonymousId });
  }
  const appIds = [...new Set(rows.map((row) => row.appId))];
  const [aliases, erased, deleted] = await Promise.all([
    findAliases(sql, [...devices.values()]),
    erasedHashes(sql, appIds),
    deletedApps(sql, appIds),
  ]);
  // Asked for every row, by texts that rows have: a key made of both would cost more than the look-up.
  const users = new Map<string, Map<string, string>>();
  for (const { appId, anonymousId, userId } of aliases) {
    const ofApp = users.get(appId) ?? new Map<string, string>();
    users.set(appId, ofApp.set(anonymousId, userId));
  }
  const erasedAtMs = (appId: string, id: string) =>
    erased.size > 0 ? erased.get(subjectHash(appId, id))?.getTime() : undefined;
  return {
    userOf: (appId, anonymousId) => users.get(appId)?.get(anonymousId),
    erasedAtMs,
    isErased: (appId, id) => erasedAtMs(appId, id) !== undefined,
    isDeleted: (appId) => deleted.has(appId),
  };
}
