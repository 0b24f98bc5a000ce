import type { AppScope } from '../../shared/app.ts';
import { isNoId } from '../../shared/identity.ts';
import { textList } from '../../storage/duckdb-literal.ts';
import { streamRows } from '../../storage/read-chunks.ts';
import { type ErasedId, type NewAlias, subjectHash, type Tombstone } from '../event/person.ts';
import type { Compactor } from '../parquet/compactor.ts';
import type { ReadableFile } from '../parquet/read-files.ts';
import { REBUILT_PEOPLE } from '../parquet/tables.ts';
import { knownPeople } from '../people/known.ts';
import { erasedHashes } from '../people/queries.ts';
import { inBatches } from './in-batches.ts';
import { appsWithErased, liveFilesToRead } from './queries.ts';
import { addPeopleSql, aliasesSql, createPeopleSql, idsSql } from './rows-sql.ts';

export type FoundPeople = {
  aliases: NewAlias[];
  erased: ErasedId[];
};

type ReadFile = ReadableFile & { bytes: number };

type Tombstones = ReadonlyMap<string, Tombstone>;

async function readErased(
  store: Compactor,
  files: readonly ReadFile[],
  { appIds, hashes }: { appIds: readonly string[]; hashes: Tombstones },
): Promise<ErasedId[]> {
  if (appIds.length === 0) return [];
  const erased = new Map<string, ErasedId>();
  for await (const batch of inBatches(store, files)) {
    for await (const row of streamRows(store.connection, idsSql(batch, textList(appIds)))) {
      const [appId, id] = [String(row.app_id), String(row.id)];
      const hash = subjectHash(appId, id);
      const tombstone = hashes.get(hash);
      if (tombstone) erased.set(hash, { appId, id, erasedAs: tombstone.erasedAs });
    }
  }
  return [...erased.values()];
}

export async function erasedInFiles(store: Compactor): Promise<ErasedId[]> {
  const appIds = await appsWithErased(store.sql);
  const hashes = await erasedHashes(store.sql, appIds);
  return readErased(store, await liveFilesToRead(store.sql, []), { appIds, hashes });
}

export async function findPeople(
  store: Compactor,
  files: readonly ReadFile[],
  apps: readonly AppScope[],
): Promise<FoundPeople> {
  const { connection } = store;
  const isWanted = new Set(apps.map(({ appId }) => appId));
  const appIds = await appsWithErased(store.sql);
  const hashes = await erasedHashes(store.sql, appIds);
  const erased = await readErased(store, files, { appIds, hashes });
  const { isErased } = knownPeople({ aliases: [], erased: hashes, deleted: new Set() });
  const aliases: NewAlias[] = [];
  await connection.run(createPeopleSql);
  for await (const batch of inBatches(store, files)) await connection.run(addPeopleSql(batch));
  for await (const row of streamRows(connection, aliasesSql)) {
    const [appId, anonymousId] = [String(row.app_id), String(row.anonymous_id)];
    const userId = String(row.user_id);
    if (!isWanted.has(appId) || isNoId(anonymousId) || isNoId(userId)) continue;
    if (isErased(appId, anonymousId, 'device') || isErased(appId, userId, 'person')) continue;
    const mappedAtMs = Number(row.mapped_ms);
    aliases.push({ orgId: String(row.org_id), appId, anonymousId, userId, mappedAtMs });
  }
  await connection.run(`DROP TABLE ${REBUILT_PEOPLE}`);
  return { aliases, erased };
}
