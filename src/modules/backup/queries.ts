import { onlyRow } from '../../shared/assert.ts';
import { type Db, hasRows } from '../../storage/postgres.ts';

export async function isInUse(db: Db): Promise<boolean> {
  const tables = await db`SELECT 1 WHERE to_regclass('auth."user"') IS NOT NULL`;
  if (tables.length === 0) return false;
  return hasRows(db`
    SELECT 1 FROM auth."user" UNION ALL SELECT 1 FROM apps LIMIT 1`);
}

/** Service processes connected to this database, without commands. */
export async function selectRunningProcesses(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    SELECT DISTINCT application_name AS name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'control-plane-%'
      AND application_name NOT IN ('control-plane-admin', 'control-plane-analyst')
    ORDER BY name`;
  return rows.map(({ name }) => name.replace('control-plane-', ''));
}

export type Snapshot = { snapshotAt: Date; catalogueSeq: number };

export async function snapshot(tx: Db): Promise<Snapshot> {
  const rows = await tx<Snapshot[]>`
    SELECT now() AS "snapshotAt", seq AS "catalogueSeq" FROM event_catalogue`;
  return onlyRow(rows);
}
