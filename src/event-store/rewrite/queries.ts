import type { Db, Tx } from '../../storage/postgres.ts';
import { CatalogueMoved, insertFile, lockCatalogue, retireFiles } from '../catalogue/queries.ts';
import type { NewEventFile } from '../catalogue/types.ts';

export type LinkOfApp = { appId: string; anonymousId: string; userId: string };

export type Forgotten = {
  erased: { appId: string; subject: string }[];
  deletedApps: string[];
  keptSince: { appId: string; since: Date }[];
};

/** The apps that have rows in these files. */
export async function appsOfFiles(db: Db, fileIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ app_id: string }[]>`
    SELECT DISTINCT app_id FROM event_file_apps WHERE file_id = ANY(${[...fileIds]})`;
  return rows.map((row) => row.app_id);
}

export async function correctionsSince(
  db: Db,
  appIds: readonly string[],
  seq: number,
): Promise<{ links: LinkOfApp[]; forgotten: Forgotten }> {
  const ids = [...appIds];
  const [links, erased, deleted, kept] = await Promise.all([
    db<LinkOfApp[]>`
      SELECT app_id AS "appId", anonymous_id AS "anonymousId", user_id AS "userId"
      FROM event_people WHERE app_id = ANY(${ids}) AND catalogued_seq > ${seq}`,
    db<{ appId: string; subject: string }[]>`
      SELECT app_id AS "appId", subject FROM event_erasures
      WHERE app_id = ANY(${ids}) AND subject IS NOT NULL`,
    // Every app that was ever deleted: a file may hold rows of one that has no range in it any more.
    db<{ app_id: string }[]>`SELECT app_id FROM event_deleted_apps`,
    db<{ appId: string; since: Date }[]>`
      SELECT app_id AS "appId",
        date_trunc('day', now() - event_retention_days * interval '1 day') AS since
      FROM app_datasets WHERE app_id = ANY(${ids}) AND event_retention_days IS NOT NULL`,
  ]);
  return {
    links: [...links],
    forgotten: {
      erased: [...erased],
      deletedApps: deleted.map((row) => row.app_id),
      keptSince: [...kept],
    },
  };
}

export type Swap = {
  retired: readonly string[];
  added: readonly NewEventFile[];
  /** The number up to which the added files are corrected. */
  seq: number;
};

/**
 * Replaces files by their rewritten form. Throws `CatalogueMoved` when one of them is not live any
 * more, or an app was deleted while they were being written: then nothing has changed.
 */
export async function swapFiles(tx: Tx, { retired, added, seq }: Swap): Promise<void> {
  await lockCatalogue(tx);
  const appIds = added.flatMap((file) => file.apps.map((app) => app.appId));
  const [gone] = await tx`
    SELECT 1 FROM event_deleted_apps WHERE app_id = ANY(${appIds}) LIMIT 1`;
  if (gone) throw new CatalogueMoved();
  await retireFiles(tx, retired);
  for (const file of added) await insertFile(tx, file, seq);
}

/** The files need no change: they are right up to `seq` as they are. */
export async function markCorrected(
  db: Db,
  fileIds: readonly string[],
  seq: number,
): Promise<void> {
  await db`
    UPDATE event_files SET people_seq = ${seq}
    WHERE file_id = ANY(${[...fileIds]}) AND state = 'live' AND people_seq < ${seq}`;
}
