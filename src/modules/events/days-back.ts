import { DAY_MS, MINUTE_MS } from '../../shared/time.ts';

/** How far ahead of our clock an accepted event may lie. */
export const AHEAD_MS = 10 * MINUTE_MS;

export type DaysBack = {
  fromMs: number;
  toMs: number;
  /** Exclusive; past `toMs`, so that events of a device whose clock is fast are seen at once. */
  beforeMs: number;
};

/** The last `days` × 24 hours. */
export function daysBack(now: Date, days: number): DaysBack {
  const toMs = now.getTime();
  return { fromMs: toMs - days * DAY_MS, toMs, beforeMs: toMs + AHEAD_MS };
}
