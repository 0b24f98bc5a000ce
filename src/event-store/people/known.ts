import type { Db } from '../../storage/postgres.ts';
import type { EventRow } from '../event/columns.ts';
import { isErasedAs, type PeopleFacts, subjectHash } from '../event/person.ts';
import type { KnownFacts } from '../event/resolve.ts';
import { deletedApps, erasedHashes, findAliases } from './queries.ts';

type KnownPeople = Omit<KnownFacts, 'keys' | 'isUndone'>;

/** Nested maps: a combined key costs more than the lookup. */
function groupDevices(rows: readonly EventRow[]): Map<string, Set<string>> {
  const devices = new Map<string, Set<string>>();
  for (const { appId, anonymousId } of rows) {
    const ofApp = devices.get(appId) ?? new Set<string>();
    devices.set(appId, ofApp.add(anonymousId));
  }
  return devices;
}

export function knownPeople({ aliases, erased, deleted }: PeopleFacts): KnownPeople {
  const users = new Map<string, Map<string, string>>();
  for (const { appId, anonymousId, userId } of aliases) {
    const ofApp = users.get(appId) ?? new Map<string, string>();
    users.set(appId, ofApp.set(anonymousId, userId));
  }
  const erasedAtMs: KnownPeople['erasedAtMs'] = (appId, id, as) => {
    const found = erased.size > 0 ? erased.get(subjectHash(appId, id)) : undefined;
    return found && isErasedAs(found.erasedAs, as) ? found.erasedAt.getTime() : undefined;
  };
  return {
    userOf: (appId, anonymousId) => users.get(appId)?.get(anonymousId),
    erasedAtMs,
    isErased: (appId, id, as) => erasedAtMs(appId, id, as) !== undefined,
    isDeleted: (appId) => deleted.has(appId),
  };
}

export async function readKnownPeople(sql: Db, rows: readonly EventRow[]): Promise<KnownPeople> {
  const devices = groupDevices(rows);
  const appIds = [...devices.keys()];
  const ids = [...devices].flatMap(([appId, ofApp]) => [...ofApp].map((id) => ({ appId, id })));
  const [aliases, erased, deleted] = await Promise.all([
    findAliases(sql, ids),
    erasedHashes(sql, appIds),
    deletedApps(sql, appIds),
  ]);
  return knownPeople({ aliases, erased, deleted });
}
