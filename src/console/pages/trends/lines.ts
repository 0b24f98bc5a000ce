import type { Figure, Slot } from '../../parts/chart/types.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import type { Dimension } from '../../state/filters.ts';
import { REST, valueLabel } from '../../state/sent-values.ts';
import { trends as t } from '../../texts/trends.ts';
import { lastDayOf, placeOf, STEPS_BACK, shifted } from './places.ts';
import type { Asked } from './queries.ts';

export type Counted = 'people' | 'events';

export type Line = {
  key: string;
  name: string;
  slot: Slot;
  /** Nobody can ask for them. */
  isRest: boolean;
  values: readonly Figure[];
  before: readonly Figure[];
  total: number;
  change: number | null;
  /** Earlier places are of fewer days. */
  comparableFrom?: number;
};

export type Lines = {
  places: readonly string[];
  starts: readonly string[];
  placesBefore: readonly string[];
  finished: number;
  lines: readonly Line[];
};

const SLOTS: readonly Slot[] = [1, 2, 3, 4, 5, 6];
const ALL = 'all';

/** Versions by their order, all else by place. */
function slotsOf(keys: readonly string[], breakdown: Dimension | undefined) {
  const versions = breakdown === 'appVersion' ? versionSlots(keys) : undefined;
  return (key: string): Slot => versions?.get(key) ?? SLOTS[keys.indexOf(key)] ?? 'other';
}

type Part = Pick<EventSeries, 'points' | 'totals'> & { key: string; name: string; isRest: boolean };

function partsOf({ series, names, breakdown }: Asked): Part[] {
  const [only] = names;
  if (series.series.length === 0) {
    const { points, totals } = series;
    return [{ key: only ?? ALL, name: only ?? t.anyEvent, isRest: false, points, totals }];
  }
  return series.series.map(({ key, rest, points, totals }) => {
    const name = breakdown ? valueLabel(breakdown, key) : key;
    return rest
      ? { key: REST, name: t.other, isRest: true, points, totals }
      : { key, name, isRest: false, points, totals };
  });
}

/** The first day of an app: nothing before it is over. */
export function runningOf({ series: { points, totals } }: Asked) {
  const last = points.at(-1);
  return totals.people === 0 && last?.partial && last.people > 0 ? last : undefined;
}

export function linesOf(asked: Asked, of: Counted, firstDay: string | null): Lines {
  const { series, breakdown, interval } = asked;
  const starts = series.points.map(({ from }) => from);
  const places = starts.map((from) => placeOf(from, series.timezone, interval));
  const finished = series.points.filter(({ partial }) => !partial).length;
  const placesBefore = places
    .map((place) => shifted(place, interval, -finished))
    .slice(0, finished);
  const parts = partsOf(asked);
  const isRunning = runningOf(asked) !== undefined;
  const slotOf = slotsOf(
    parts.filter(({ isRest }) => !isRest).map(({ key }) => key),
    breakdown,
  );
  const isKnown = (place: string | undefined) =>
    place !== undefined && (firstDay === null || lastDayOf(place, interval) >= firstDay);
  const known = (value: number | undefined, place: string | undefined): Figure =>
    isKnown(place) ? (value ?? null) : null;
  const previous = of === 'people' ? 'previousPeople' : 'previousEvents';
  return {
    places,
    starts,
    placesBefore,
    finished,
    lines: parts.map(({ key, name, isRest, points, totals }) => ({
      key,
      name,
      isRest,
      slot: isRest ? 'other' : slotOf(key),
      values: points.map((point, index) => known(point[of], places[index])),
      before: points
        .slice(0, finished)
        .map((point, index) => known(point[previous], placesBefore[index])),
      total: isRunning ? (points.at(-1)?.[of] ?? 0) : totals[of],
      change: of === 'people' ? totals.peopleChange : totals.eventsChange,
    })),
  };
}

export type Course = {
  mean: Figure;
  highest: { value: number; index: number } | null;
  latest: Figure;
  earlier: Figure;
};

export function courseOf(
  {
    values,
    before,
    comparableFrom = -before.length,
  }: Pick<Line, 'values' | 'before' | 'comparableFrom'>,
  finished: number,
  stepsBack: number = STEPS_BACK.day,
): Course {
  const over = values.slice(0, finished);
  const known = over.filter((value) => value !== null);
  const value = known.length > 0 ? Math.max(...known) : null;
  const all = [...before, ...over];
  const back = all.length - 1 - stepsBack;
  return {
    mean: known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : null,
    highest: value === null ? null : { value, index: over.lastIndexOf(value) },
    latest: over.at(-1) ?? null,
    earlier: back - before.length < comparableFrom ? null : (all[back] ?? null),
  };
}
