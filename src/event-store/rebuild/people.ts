import type { DuckDBConnection } from '@duckdb/node-api';
import type { AppScope } from '../../shared/app.ts';
import { textList } from '../../storage/duckdb-literal.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { ReadableFile } from '../parquet/read-files.ts';
import { erasedHashes, type IdInApp, type NewAlias, subjectHash } from '../people/queries.ts';
import { appsWithErased } from './queries.ts';
import { aliasesSql, idsSql } from './rows-sql.ts';

/** The people of files that the catalogue does not know. */
export type FoundPeople = {
  aliases: NewAlias[];
  /** Ids of erased people whose rows are there again. */
  erased: IdInApp[];
};

async function* rowsOf(connection: DuckDBConnection, sql: string) {
  const result = await connection.stream(sql);
  for await (const rows of result.yieldRowObjects()) yield* rows;
}

async function readErased(
  { sql, connection }: { sql: Sql; connection: DuckDBConnection },
  files: readonly ReadableFile[],
): Promise<IdInApp[]> {
  const appIds = await appsWithErased(sql);
  if (appIds.length === 0) return [];
  const hashes = await erasedHashes(sql, appIds);
  const erased: IdInApp[] = [];
  for await (const row of rowsOf(connection, idsSql(files, textList(appIds)))) {
    const [appId, id] = [String(row.app_id), String(row.id)];
    if (hashes.has(subjectHash(appId, id))) erased.push({ appId, id });
  }
  return erased;
}

/** Who the people of these files are, by the files and by the tombstones. */
export async function findPeople(
  store: { sql: Sql; connection: DuckDBConnection },
  files: readonly ReadableFile[],
  apps: readonly AppScope[],
): Promise<FoundPeople> {
  if (files.length === 0) return { aliases: [], erased: [] };
  const isWanted = new Set(apps.map(({ appId }) => appId));
  const erased = await readErased(store, files);
  const isErased = new Set(erased.map(({ appId, id }) => subjectHash(appId, id)));
  const aliases: NewAlias[] = [];
  for await (const row of rowsOf(store.connection, aliasesSql(files))) {
    const [appId, anonymousId] = [String(row.app_id), String(row.anonymous_id)];
    const userId = String(row.user_id);
    if (!isWanted.has(appId)) continue;
    if ([anonymousId, userId].some((id) => isErased.has(subjectHash(appId, id)))) continue;
    const mappedAtMs = Number(row.mapped_ms);
    aliases.push({ orgId: String(row.org_id), appId, anonymousId, userId, mappedAtMs });
  }
  return { aliases, erased };
}
