import { at } from '../../shared/assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import type { ConversionTimes } from './model.ts';

const SECOND_US = 1_000_000;

const BOUNDS_SECONDS = [
  ...[0, 10, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * DAY_MS),
].map((ms) => ms / SECOND_MS);

export function toDistribution(timesUs: Float64Array, windowUs: number): ConversionTimes {
  const windowSeconds = windowUs / SECOND_US;
  const bounds = BOUNDS_SECONDS.filter((bound) => bound === 0 || bound < windowSeconds);
  const people = bounds.map(() => 0);
  for (const timeUs of timesUs) {
    const place = bounds.findLastIndex((bound) => bound <= timeUs / SECOND_US);
    people[place] = at(people, place) + 1;
  }
  return bounds.map((fromSeconds, index) => ({
    fromSeconds,
    toSeconds: bounds[index + 1] ?? windowSeconds,
    people: at(people, index),
  }));
}
