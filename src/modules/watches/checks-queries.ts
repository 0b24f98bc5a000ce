import { type Db, type Tx, done } from '../../storage/postgres.ts';
import { saveWanted, wantedSchedules } from '../../storage/wanted-runs.ts';

/** The reconciler makes its schedule within seconds. */
export const wantCheck = (tx: Tx, orgId: string, updatedAt: Date): Promise<void> =>
  saveWanted(tx, 'watch_checks', { orgId, updatedAt });

/** True where no watch of the organization is left. */
export async function endCheck(db: Db, orgId: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM watches WHERE org_id = ${orgId} LIMIT 1`;
  if (rows.length > 0) return false;
  await db`
    DELETE FROM watch_checks c WHERE c.org_id = ${orgId}
      AND NOT EXISTS (SELECT 1 FROM watches w WHERE w.org_id = c.org_id)`;
  return true;
}

/** A check may end while another watch is made. */
export const insertMissingChecks = (db: Db) =>
  done(db`
    INSERT INTO watch_checks (org_id, updated_at)
    SELECT DISTINCT w.org_id, now() FROM watches w
    WHERE NOT EXISTS (SELECT 1 FROM watch_checks c WHERE c.org_id = w.org_id)
    ON CONFLICT DO NOTHING`);

export const watchSchedules = wantedSchedules({ table: 'watch_checks' });
