import { SECOND_MS, sleep } from '../shared/time.ts';
import { withTimeout } from '../shared/timeout.ts';
import { ping } from './ping.ts';
import { isPoolAtWork, isReadOnlyServer, type Sql } from './postgres.ts';

const LOOK_EVERY_MS = SECOND_MS;
const LOOK_LIMIT_MS = 5 * SECOND_MS;
/** Longer than the pool takes for a burst. */
const STUCK_AFTER_MS = 10 * SECOND_MS;
/** Consecutive checks: after a pause the database answers in any order. */
const LOOKS = 3;

async function isLost(sql: Sql, sinceMs: number): Promise<boolean> {
  return withTimeout(isPoolAtWork(sql, sinceMs), LOOK_LIMIT_MS).then(
    (isAtWork) => !isAtWork,
    () => false,
  );
}

/**
 * Idle with the database up: only a restart helps. Never settles during an outage of the database.
 */
export async function poolStuck(
  sql: Sql,
  signal: AbortSignal,
  stuckAfterMs = STUCK_AFTER_MS,
): Promise<void> {
  let servedAtMs = performance.now();
  let isAsked = false;
  let looks = 0;
  const ask = async (): Promise<void> => {
    isAsked = true;
    await ping(sql).then(
      () => {
        servedAtMs = performance.now();
      },
      (thrown: unknown) => {
        if (isReadOnlyServer(thrown)) servedAtMs = performance.now();
      },
    );
    isAsked = false;
  };
  while (!signal.aborted && looks < LOOKS) {
    if (!isAsked) void ask();
    await sleep(LOOK_EVERY_MS, signal);
    const isOverdue = performance.now() - servedAtMs > stuckAfterMs;
    looks = isOverdue && (await isLost(sql, stuckAfterMs)) ? looks + 1 : 0;
  }
}
