import { DAY_MS } from '../../../shared/time.ts';
import type { Forecast } from '../../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';

export type Compared = {
  people: number;
  present: number;
  /** In the preceding window, under fifty. */
  previousPeople: number;
  firstMs: number | null;
  fromMs: number;
  finishedMs: number;
  toMs: number;
  nowMs: number;
};

/** At this window's pace. Null for a past or empty window. */
export function forecastChange(compared: Compared): Forecast {
  const { people, present, previousPeople, firstMs, fromMs, finishedMs, toMs, nowMs } = compared;
  const startMs = Math.max(fromMs, firstMs ?? fromMs);
  const [seen, seenMs] = people > 0 ? [people, finishedMs] : [present, nowMs];
  const peoplePerDay = seen / Math.max(1, (seenMs - startMs) / DAY_MS);
  const missingPeople = MINIMUM_PEOPLE - previousPeople;
  const counts = { people: previousPeople, missingPeople, peoplePerDay, windowDays: null };
  const have = `The window before has ${previousPeople} of ${MINIMUM_PEOPLE} people`;
  if (toMs < nowMs || peoplePerDay === 0) return { ...counts, expectedAt: null, text: `${have}.` };
  const fiftyMs = (MINIMUM_PEOPLE / peoplePerDay) * DAY_MS;
  const lengthMs = (finishedMs > fromMs ? finishedMs : toMs) - fromMs;
  const atMs =
    previousPeople > 0
      ? nowMs + (missingPeople / peoplePerDay) * DAY_MS
      : startMs + fiftyMs + lengthMs;
  const days = Math.max(1, Math.ceil((atMs - nowMs) / DAY_MS));
  const expectedAt = new Date(nowMs + days * DAY_MS).toISOString();
  const when = days === 1 ? '1 day' : `${days} days`;
  return { ...counts, expectedAt, text: `${have}: changes are drawn in about ${when}.` };
}
