import type { Sql } from '../../../storage/postgres.ts';

/** Arbitrary; one compactor works at a time, on whatever host it runs. */
const TURN_LOCK = 7_310_550_413;

/**
 * Runs `work` while no other compactor does; null when another has the turn. Only spares doubled
 * work: what keeps it right is the number in the catalogue, which holds also when this lock is lost.
 */
export async function withCompactionTurn<T>(sql: Sql, work: () => Promise<T>): Promise<T | null> {
  const connection = await sql.reserve();
  try {
    const [row] = await connection<{ mine: boolean }[]>`
      SELECT pg_try_advisory_lock(${TURN_LOCK}) AS mine`;
    if (!row?.mine) return null;
    try {
      return await work();
    } finally {
      await connection`SELECT pg_advisory_unlock(${TURN_LOCK})`;
    }
  } finally {
    connection.release();
  }
}
