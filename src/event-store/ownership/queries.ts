import { type Db, type Tx, done, column } from '../../storage/postgres.ts';

export type Installation = {
  id: string;
  eventsUrl: string | null;
  eventsClaimedAt: Date | null;
};

export async function readInstallation(db: Db): Promise<Installation> {
  const [row] = await db<Installation[]>`
    SELECT id, events_url AS "eventsUrl", events_claimed_at AS "eventsClaimedAt"
    FROM installation`;
  if (!row) throw new Error('The table installation is empty.');
  return row;
}

export const noteClaim = (db: Db, url: string, at: Date) =>
  done(db`UPDATE installation SET events_url = ${url}, events_claimed_at = ${at}`);

export type Restored = { id: string; url: string; at: Date; inPlace: boolean };

export const setIdentity = (tx: Tx, { id, url, at, inPlace }: Restored) =>
  done(tx`
    UPDATE installation SET id = ${id}, events_url = ${url}, events_claimed_at = ${at},
      orphans_since = ${inPlace ? at : null},
      commits_lost_at = NULL, catalogue_whole_at = now()`);

export const livePaths = (db: Db) =>
  column(db<{ path: string }[]>`
    SELECT path FROM event_files WHERE state = 'live'
    UNION SELECT path FROM event_key_runs WHERE state <> 'retired'`);

export async function organizationIds(db: Db): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`SELECT id FROM auth.organization`;
  return new Set(rows.map(({ id }) => id));
}

export async function deletePaths(tx: Tx, paths: readonly string[]): Promise<void> {
  await tx`
    DELETE FROM event_file_apps
    WHERE file_id IN (SELECT file_id FROM event_files WHERE path = ANY(${[...paths]}))`;
  await tx`DELETE FROM event_files WHERE path = ANY(${[...paths]})`;
  await tx`DELETE FROM event_key_runs WHERE path = ANY(${[...paths]})`;
}
