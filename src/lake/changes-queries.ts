import type { Tx } from '../storage/postgres.ts';

/** Later notes wait for the next publication. */
export async function takeChangedMonths(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx<{ month: string }[]>`
    WITH taken AS (DELETE FROM lake_changes WHERE table_name = ${table} RETURNING month)
    SELECT DISTINCT month::text FROM taken ORDER BY 1`;
  return rows.map(({ month }) => month);
}

/** A first publication writes everything. */
export async function deleteNotes(tx: Tx): Promise<void> {
  await tx`DELETE FROM lake_changes`;
  await tx`DELETE FROM lake_exposures`;
}
