import { isDatabaseAway, type Sql } from '../storage/postgres.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/** Waits for a database that is just starting; any other fault (a wrong password) throws at once. */
export async function waitForDatabase(sql: Sql): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      await sql`SELECT 1`;
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}
