import { DAY_MS } from '../../../shared/time.ts';
import { type Forecast, MINIMUM_PEOPLE } from '../../funnels/index.ts';

export type Compared = {
  /** Of the intervals that are over. */
  people: number;
  /** Of the one that is not over; on the first day they are all there are. */
  present: number;
  /** Of as many intervals before; fewer than fifty. */
  previousPeople: number;
  firstMs: number | null;
  fromMs: number;
  finishedMs: number;
  toMs: number;
  nowMs: number;
};

/**
 * When the window before will have had fifty people, at the pace of this one: at once at the pace of
 * those still missing where somebody was there before, else when this window has become the one
 * before. Null expectation for a window that ended in the past, and for one of nobody.
 */
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
