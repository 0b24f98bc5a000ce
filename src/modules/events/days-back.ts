import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/time.ts';

/** How far ahead of our clock an accepted event may lie. */
export const AHEAD_MS = 10 * MINUTE_MS;

const WINDOW_STEP_MS = 10 * SECOND_MS;

/**
 * Windows that end now end with the step of the clock that is running: the same question asked by
 * many at once is the same to the microsecond, and is answered once (`src/query/shared-answers.ts`).
 */
export const endOfStep = (now: Date): Date =>
  new Date(Math.ceil(now.getTime() / WINDOW_STEP_MS) * WINDOW_STEP_MS);

export type DaysBack = {
  fromMs: number;
  toMs: number;
  /** Exclusive; past `toMs`, so that events of a device whose clock is fast are seen at once. */
  beforeMs: number;
};

/** The last `days` × 24 hours, through the step of the clock that is running. */
export function daysBack(now: Date, days: number): DaysBack {
  const toMs = endOfStep(now).getTime();
  return { fromMs: toMs - days * DAY_MS, toMs, beforeMs: toMs + AHEAD_MS };
}
