import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable } from '../schema.ts';
import { counted } from '../text.ts';
import { DAY_MS } from '../time.ts';
import { MINIMUM_PEOPLE } from './minimum.ts';

/** Longest window of a report. */
const MAX_WINDOW_DAYS = 400;

export const Forecast = Named(
  'Forecast',
  {
    people: Type.Integer({ minimum: 0 }),
    missingPeople: Type.Integer({ minimum: 1 }),
    peoplePerDay: Type.Number({
      minimum: 0,
      description: 'New people a day, since the first event in the window.',
    }),
    expectedAt: Nullable(
      Type.Unsafe<string>({
        ...DateTime,
        description: 'When there will be fifty at this pace, in a window that ends then.',
      }),
    ),
    windowDays: Nullable(
      Type.Integer({ minimum: 1, description: 'How long a window takes to have fifty people.' }),
    ),
    text: Type.String({ description: 'The same in a sentence.' }),
  },
  { description: 'Where fewer than fifty people came: how many did, and when a rate comes.' },
);
export type Forecast = Static<typeof Forecast>;

export type Pace = {
  people: number;
  firstMs: number | null;
  /** The end may lie in the future. */
  fromMs: number;
  toMs: number;
  nowMs: number;
};

const inDays = (days: number): string => counted(days, 'day', 'days');

const rounded = (pace: number): number => Number(pace.toPrecision(2));

/** At the pace since the window's first event, with a longer window that already has fifty. */
export function forecast({ people, firstMs, fromMs, toMs, nowMs }: Pace): Forecast | null {
  if (people >= MINIMUM_PEOPLE) return null;
  const missingPeople = MINIMUM_PEOPLE - people;
  const counts = { people, missingPeople };
  const have = `${people} of ${MINIMUM_PEOPLE} people`;
  const seenMs = Math.min(toMs, nowMs);
  if (people === 0 || firstMs === null || firstMs >= seenMs + DAY_MS) {
    const text = `${have} came in this window.`;
    return { ...counts, peoplePerDay: 0, expectedAt: null, windowDays: null, text };
  }
  // The app is older than the window, which moves on daily.
  const startMs = firstMs < fromMs + DAY_MS ? fromMs : firstMs;
  const seenDays = Math.max(1, (seenMs - startMs) / DAY_MS);
  const peoplePerDay = people / seenDays;
  const neededDays = Math.ceil(MINIMUM_PEOPLE / peoplePerDay);
  const isOpen = toMs >= nowMs;
  const pace = `At ${rounded(peoplePerDay)} a day`;
  if (isOpen && neededDays * DAY_MS <= toMs - fromMs) {
    const missingDays = Math.ceil(missingPeople / peoplePerDay);
    const expectedAt = new Date(nowMs + missingDays * DAY_MS).toISOString();
    const text = `${have} so far. ${pace} there will be ${MINIMUM_PEOPLE} in about ${inDays(missingDays)}.`;
    return { ...counts, peoplePerDay, expectedAt, windowDays: neededDays, text };
  }
  const windowDays = neededDays <= MAX_WINDOW_DAYS ? neededDays : null;
  const longer =
    windowDays === null
      ? `no window of up to ${MAX_WINDOW_DAYS} days has ${MINIMUM_PEOPLE}`
      : `it takes a window of about ${inDays(windowDays)}`;
  const text = `${have} came in this window. ${pace} ${longer}.`;
  return { ...counts, peoplePerDay, expectedAt: null, windowDays, text };
}
