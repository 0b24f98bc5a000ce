import type { Db } from '../../storage/postgres.ts';

/** The keys of every object that the catalogue reads. */
export async function cataloguedKeys(db: Db): Promise<string[]> {
  const rows = await db<{ path: string }[]>`
    SELECT path FROM event_files WHERE state = 'live'
    UNION SELECT path FROM event_key_runs WHERE state = 'live'`;
  return rows.map(({ path }) => path);
}

/** True when anybody has an account here or any app exists. */
export async function isInUse(db: Db): Promise<boolean> {
  const [table] = await db<{ found: boolean }[]>`
    SELECT to_regclass('auth."user"') IS NOT NULL AS found`;
  if (!table?.found) return false;
  const rows = await db`
    SELECT 1 FROM auth."user" UNION ALL SELECT 1 FROM apps LIMIT 1`;
  return rows.length > 0;
}

export type Snapshot = { snapshotAt: Date; catalogueSeq: number };

/** The moment that a transaction sees. */
export async function snapshot(tx: Db): Promise<Snapshot> {
  const [row] = await tx<Snapshot[]>`
    SELECT now() AS "snapshotAt", seq AS "catalogueSeq" FROM event_catalogue`;
  if (!row) throw new Error('The catalogue of event files has no row.');
  return row;
}
