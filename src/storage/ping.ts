import { sleep } from '../shared/time.ts';
import { isDatabaseAway, type Sql } from './postgres.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/** Throws unless the database answers. */
export async function ping(sql: Sql): Promise<void> {
  await sql`SELECT 1`;
}

export type DatabaseWait = {
  /** Told once, with the first fault. */
  onWait?: (fault: unknown) => void;
  signal?: AbortSignal;
};

/** Waits for a database that is just starting; any other fault (a wrong password) throws at once. */
export async function waitForDatabase(sql: Sql, wait: DatabaseWait = {}): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (let told = false; ; told = true) {
    try {
      return await ping(sql);
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
      if (!told) wait.onWait?.(error);
      await sleep(PAUSE_MS, wait.signal);
      wait.signal?.throwIfAborted();
    }
  }
}
