import { locale, monthName, shortDay } from '../../format.ts';
import { addDays } from '../../state/days.ts';
import { chart as t } from '../../texts/chart.ts';
import type { Unit } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_DAY_UNDER = 15;
const MONTHS_OVER = 120;
const HOURS_OF_TICK = 6;
const MONDAY = 1;

const of = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
const weekday = of({ weekday: 'short', day: 'numeric', month: 'short' });
const wholeDay = of({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const clock = of({ hour: 'numeric', minute: '2-digit' });
const month = of({ month: 'long', year: 'numeric' });

/** The same in each zone of a reader. */
export const startMs = (place: string): number =>
  Date.parse(place.length > 'YYYY-MM-DD'.length ? `${place.slice(0, 16)}Z` : `${place}T00:00Z`);

const dayOf = (place: string) => place.slice(0, 'YYYY-MM-DD'.length);
const hourOf = (place: string) => new Date(startMs(place)).getUTCHours();

export function endMs(place: string, unit: Unit): number {
  const start = startMs(place);
  if (unit === 'hour') return start + HOUR_MS;
  if (unit === 'day') return start + DAY_MS;
  if (unit === 'week') return start + 7 * DAY_MS;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** How many places before the same weekday, or the same hour, lies. */
export const STEPS_BACK: Record<Unit, number> = { hour: 24, day: 7, week: 1, month: 1 };

export function axisName(place: string, unit: Unit): string {
  if (unit === 'hour') return clock.format(startMs(place));
  if (unit === 'month') return monthName(place.slice(0, 'YYYY-MM'.length));
  return shortDay(dayOf(place));
}

export function placeName(place: string, unit: Unit): string {
  const start = startMs(place);
  if (unit === 'hour') return `${weekday.format(start)}, ${clock.format(start)}`;
  if (unit === 'week') return t.weekOf(shortDay(dayOf(place)));
  if (unit === 'month') return month.format(start);
  return weekday.format(start);
}

export const fullName = (place: string, unit: Unit): string =>
  unit === 'day' ? wholeDay.format(startMs(place)) : placeName(place, unit);

export const namedPlaces = (head: string, names: readonly string[]) => ({
  days: names.map((_, index) => addDays('2000-01-01', index)),
  places: { head, names },
});

type Named = { days: readonly string[]; unit?: Unit; places?: { names: readonly string[] } };

export const axisNameAt = ({ days, unit = 'day', places }: Named, index: number): string =>
  places?.names[index] ?? axisName(days[index] ?? '', unit);
export const placeNameAt = ({ days, unit = 'day', places }: Named, index: number): string =>
  places?.names[index] ?? placeName(days[index] ?? '', unit);

const isMonday = (place: string) => new Date(startMs(place)).getUTCDay() === MONDAY;
const isFirstOfMonth = (place: string) => new Date(startMs(place)).getUTCDate() === 1;

/** Hours by six, days, Mondays or months. */
export function tickPlaces(places: readonly string[], unit: Unit): number[] {
  const indices = [...places.keys()];
  const all = (fits: (place: string, index: number) => boolean) =>
    indices.filter((index) => fits(places[index] ?? '', index));
  if (unit === 'hour') {
    const isLong = places.length > 3 * 24;
    return all((place) => hourOf(place) % (isLong ? 24 : HOURS_OF_TICK) === 0);
  }
  if (unit === 'month' || places.length < EVERY_DAY_UNDER) return indices;
  if (unit === 'week') {
    return all((place, index) => place.slice(0, 7) !== (places[index - 1] ?? place).slice(0, 7));
  }
  const fits = places.length > MONTHS_OVER ? isFirstOfMonth : isMonday;
  const found = all(fits);
  return found.length > 0 ? found : indices.slice(0, 1);
}

export function tickName(places: readonly string[], index: number, unit: Unit): string {
  const place = places[index] ?? '';
  if (unit === 'hour' && hourOf(place) === 0) return shortDay(dayOf(place));
  if (unit === 'day' && places.length > MONTHS_OVER) return monthName(place.slice(0, 7));
  return axisName(place, unit);
}
