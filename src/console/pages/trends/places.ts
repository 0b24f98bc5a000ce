import { dayWithWeekday, monthName, shortDay } from '../../format.ts';
import { addDays, addMonths, dayOf, type Days, earlier } from '../../state/days.ts';
import type { SeriesInterval } from '../../state/range-query.ts';
import { trends as t } from '../../texts/trends.ts';

const HOUR_MS = 3_600_000;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const WEEK_DAYS = 7;

const hourIn = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(ms);

export function placeOf(iso: string, timezone: string, interval: SeriesInterval): string {
  const ms = Date.parse(iso);
  const day = dayOf(ms, timezone);
  return interval === 'hour' ? `${day}T${hourIn(ms, timezone)}:00` : day;
}

const dayOfPlace = (place: string): string => place.slice(0, DAY_LENGTH);

export function shifted(place: string, interval: SeriesInterval, count: number): string {
  switch (interval) {
    case 'hour':
      return new Date(Date.parse(`${place}Z`) + count * HOUR_MS).toISOString().slice(0, 16);
    case 'month':
      return addMonths(place, count);
    default:
      return addDays(place, count * (interval === 'week' ? WEEK_DAYS : 1));
  }
}

export const lastDayOf = (place: string, interval: SeriesInterval): string =>
  interval === 'hour' ? dayOfPlace(place) : addDays(shifted(place, interval, 1), -1);

export const daysOfPlaces = (
  from: string,
  to: string,
  interval: SeriesInterval,
  today: string,
): Days => ({ from: dayOfPlace(from), to: earlier(lastDayOf(to, interval), today) });

export function placeName(place: string, interval: SeriesInterval): string {
  switch (interval) {
    case 'hour':
      return `${dayWithWeekday(dayOfPlace(place))}, ${place.slice(DAY_LENGTH + 1)}`;
    case 'week':
      return t.weekOf(shortDay(place));
    case 'month':
      return monthName(place.slice(0, 'YYYY-MM'.length));
    default:
      return dayWithWeekday(place);
  }
}

export const shortPlace = (place: string, interval: SeriesInterval): string =>
  interval === 'month' || interval === 'hour' ? placeName(place, interval) : shortDay(place);
