import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/time.ts';

/** Largest lead of an accepted event. */
export const AHEAD_MS = 10 * MINUTE_MS;

const WINDOW_STEP_MS = 10 * SECOND_MS;

/** Concurrent equal queries share one result (`src/query/shared-answers.ts`). */
export const endOfStep = (now: Date): Date =>
  new Date(Math.ceil(now.getTime() / WINDOW_STEP_MS) * WINDOW_STEP_MS);

export type DaysBack = {
  fromMs: number;
  toMs: number;
  /** Exclusive; past `toMs` for fast device clocks. */
  beforeMs: number;
};

export function daysBack(now: Date, days: number): DaysBack {
  const toMs = endOfStep(now).getTime();
  return { fromMs: toMs - days * DAY_MS, toMs, beforeMs: toMs + AHEAD_MS };
}
