import type { Sql } from '../../../storage/postgres.ts';

/** Arbitrary; one compactor works at a time, on whatever host it runs. */
const TURN_LOCK = 7_310_550_413;

type Turn<T> = { value: T } | null;

/**
 * Runs `work` while no other compactor does; null when another has the turn. Only spares doubled
 * work: what keeps it right is the number in the catalogue, which holds also when this lock is lost.
 * A transaction holds it, so that it ends with the connection, however that ends.
 */
export async function withCompactionTurn<T>(sql: Sql, work: () => Promise<T>): Promise<T | null> {
  const turn: Turn<T> = await sql.begin(async (tx): Promise<Turn<T>> => {
    const [row] = await tx<{ mine: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(${TURN_LOCK}) AS mine`;
    return row?.mine ? { value: await work() } : null;
  });
  return turn === null ? null : turn.value;
}
