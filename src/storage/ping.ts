import { sleep } from '../shared/time.ts';
import { isDatabaseUnavailable, type Sql, done } from './postgres.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/** Raised by the server, so that the driver ends the connection. */
export const ping = async (sql: Sql) =>
  done(sql`DO $$ BEGIN
    IF current_setting('transaction_read_only') = 'on' THEN
      RAISE 'It takes no writes: a standby, or set read-only.' USING ERRCODE = '25006';
    END IF;
  END $$`);

/** Any failure but a starting server's throws at once. */
export async function waitForDatabase(
  sql: Sql,
  { onWait, signal }: { onWait?: (fault: unknown) => void; signal?: AbortSignal } = {},
): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (let told = false; ; told = true) {
    try {
      return await ping(sql);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
      if (!told) onWait?.(error);
      await sleep(PAUSE_MS, signal);
      signal?.throwIfAborted();
    }
  }
}
