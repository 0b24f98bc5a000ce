import type { Tx } from '../storage/postgres.ts';

/** Takes what triggers noted of a table; what others note meanwhile stays for the next round. */
export async function takeChangedMonths(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx<{ month: string }[]>`
    WITH taken AS (DELETE FROM lake_changes WHERE table_name = ${table} RETURNING month)
    SELECT DISTINCT month::text FROM taken ORDER BY 1`;
  return rows.map(({ month }) => month);
}

/** Nobody publishes: what a first publication will write is everything. */
export async function forgetNotes(tx: Tx): Promise<void> {
  await tx`DELETE FROM lake_changes`;
  await tx`DELETE FROM lake_exposures`;
}
