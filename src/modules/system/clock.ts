import type { Deps } from '../../context.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { selectClockMs } from './queries.ts';

/** Reports allow for this much between hosts (`newestFiles`). */
const MOST_MS = MINUTE_MS;

export const isClockOff = (offMs: number) => Math.abs(offMs) > MOST_MS;

export async function whyClockIsWrong({ sql }: Pick<Deps, 'sql'>): Promise<string | null> {
  const beganMs = Date.now();
  const databaseMs = await selectClockMs(sql);
  const endedMs = Date.now();
  // Only what the time of the answer cannot explain.
  const behindMs = databaseMs - endedMs;
  const aheadMs = beganMs - databaseMs;
  const offMs = Math.max(behindMs, aheadMs);
  if (offMs <= MOST_MS) return null;
  const seconds = Math.round(offMs / SECOND_MS);
  return `It is ${seconds} s ${behindMs > aheadMs ? 'behind' : 'ahead of'} the database's.`;
}
