import { SECOND_MS, sleep } from '../shared/time.ts';
import { withTimeLimit } from '../shared/time-limit.ts';
import { ping } from './ping.ts';
import { isPoolAtWork, type Sql } from './postgres.ts';

const LOOK_EVERY_MS = SECOND_MS;
const LOOK_LIMIT_MS = 5 * SECOND_MS;
/** Longer than a burst takes to pass through the pool. */
const STUCK_AFTER_MS = 10 * SECOND_MS;
/** In a row: a database that was paused answers all that waited for it in any order. */
const LOOKS = 3;

/** True when the database answers beside the pool while no connection of the pool did anything. */
async function isLost(sql: Sql, sinceMs: number): Promise<boolean> {
  return withTimeLimit(isPoolAtWork(sql, sinceMs), LOOK_LIMIT_MS).then(
    (isAtWork) => !isAtWork,
    () => false,
  );
}

/**
 * Settles once the pool has given out nothing for ten seconds although the database answers and none
 * of its connections did anything either; a busy pool works, however slowly. Nobody will give one
 * back, and only a new process has a new pool. Never while the database itself is away: a new process
 * would know less than this one.
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
      () => undefined,
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
