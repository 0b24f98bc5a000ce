import type { Db, Sql } from '../../storage/postgres.ts';
import { readPages } from '../../storage/read-pages.ts';
import { EVENT_OBJECTS } from '../names.ts';

export type OwnedFile = { fileId: string; orgId: string; appId: string; stats: string };

const PAGE = 500;

export function ownedFiles(sql: Sql): AsyncIterable<OwnedFile[]> {
  return readPages(
    sql<OwnedFile[]>`
    SELECT file_id AS "fileId", org_id AS "orgId", app_id AS "appId", stats FROM event_files
    WHERE state = 'live' AND level > 0 AND stats IS NOT NULL`,
    PAGE,
  );
}

/** Null in files of earlier releases. */
export async function statsOfFiles(
  db: Db,
  paths: readonly string[],
): Promise<{ path: string; stats: string | null }[]> {
  return db<{ path: string; stats: string | null }[]>`
    SELECT path, stats FROM event_files WHERE path = ANY(${[...paths]}) AND state = 'live'`;
}

export async function shareFiles(sql: Sql, fileIds: readonly string[]): Promise<void> {
  const ids = [...fileIds];
  await sql.begin(async (tx) => {
    await tx`
      UPDATE event_files SET level = 0, org_id = NULL, app_id = NULL, day = NULL,
        projection = NULL, projection_bytes = NULL, projection_format = 0
      WHERE file_id = ANY(${ids}) AND state = 'live'`;
    await tx`UPDATE event_file_apps SET counts = NULL WHERE file_id = ANY(${ids})`;
  });
}

/** Single-app by path, yet with several. */
export async function sharedFiles(db: Db): Promise<string[]> {
  const rows = await db<{ fileId: string }[]>`
    SELECT file_id AS "fileId" FROM event_files
    WHERE state = 'live' AND level = 0 AND path ~ ${`^${EVENT_OBJECTS}level[12]/`} ORDER BY file_id`;
  return rows.map(({ fileId }) => fileId);
}
