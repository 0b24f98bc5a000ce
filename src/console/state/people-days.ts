import { addDays, type Days, dayOf, daysBetween, later } from './days.ts';
import { MAX_DAYS, type Resolved } from './ranges.ts';

const WEEK_DAYS = 7;
type Figure = number | null;

export type PeopleDays = {
  days: readonly string[];
  /** Null before the first event of the app. */
  values: readonly Figure[];
  /** On the same weekday of the week before. */
  weekEarlier: readonly Figure[];
  firstDay: string | null;
  isLastPartial: boolean;
};

const NO_DAYS: PeopleDays = {
  days: [],
  values: [],
  weekEarlier: [],
  firstDay: null,
  isLastPartial: false,
};

export function peopleQuery({ from, to, today, preset }: Resolved): Days & { compare: true } {
  const last = typeof preset === 'number' ? today : to;
  return {
    from: later(addDays(from, -WEEK_DAYS), addDays(last, 1 - MAX_DAYS)),
    to: last,
    compare: true,
  };
}

type Series = {
  timezone: string;
  points: readonly { from: string; people: number; partial?: true }[];
  totals: { previousPeople: number | null };
};

export function peopleDays({ points, timezone, totals }: Series, range: Days): PeopleDays {
  const start = points[0] && dayOf(Date.parse(points[0].from), timezone);
  if (start === undefined) return NO_DAYS;
  const wasThereBefore = (totals.previousPeople ?? 0) > 0;
  const firstEvent = points.findIndex(({ people }) => people > 0);
  const figures = points.map(({ people }, index): Figure => {
    const isKnown = wasThereBefore || (firstEvent >= 0 && index >= firstEvent);
    return isKnown ? people : null;
  });
  const skipped = Math.max(0, daysBetween(start, range.from));
  return {
    days: figures.slice(skipped).map((_, index) => addDays(start, skipped + index)),
    values: figures.slice(skipped),
    weekEarlier: figures
      .slice(skipped)
      .map((_, index) => figures[skipped + index - WEEK_DAYS] ?? null),
    firstDay: wasThereBefore || firstEvent < 0 ? null : addDays(start, firstEvent),
    isLastPartial: points.at(-1)?.partial ?? false,
  };
}

export const finishedValues = ({ values, isLastPartial }: PeopleDays): readonly Figure[] =>
  isLastPartial ? values.slice(0, -1) : values;

export const daysWeekEarlier = ({ days }: PeopleDays): string[] =>
  days.map((day) => addDays(day, -WEEK_DAYS));

export type LatestDay = {
  day: string;
  value: number;
  isPartial: boolean;
  /** Null where unknown, or the day is not over. */
  before: Figure;
  against: string;
};

export function latestDay(figures: PeopleDays): LatestDay | undefined {
  const { days, values, weekEarlier } = figures;
  const over = finishedValues(figures).length - 1;
  const isOver = over >= 0 && (values[over] ?? null) !== null;
  const index = isOver ? over : days.length - 1;
  const [day, value] = [days[index], values[index] ?? null];
  if (day === undefined || value === null) return undefined;
  return {
    day,
    value,
    isPartial: index > over,
    before: index > over ? null : (weekEarlier[index] ?? null),
    against: addDays(day, -WEEK_DAYS),
  };
}

export const changeSince = ({ value, before }: Pick<LatestDay, 'value' | 'before'>): Figure =>
  before === null || before === 0 ? null : (value - before) / before;

const plus = (one: Figure, other: Figure): Figure => (one === null ? other : one + (other ?? 0));

/** Null where one app was there before. */
function firstOfAll(apps: readonly PeopleDays[]): string | null {
  const seen = apps.filter(({ values }) => values.some((value) => value !== null));
  const first = seen.flatMap(({ firstDay }) => firstDay ?? []).sort();
  return first.length < seen.length ? null : (first[0] ?? null);
}

export function peopleOfAll(apps: readonly PeopleDays[]): PeopleDays {
  const days = [...new Set(apps.flatMap((app) => app.days))].sort();
  const sumOf = (of: 'values' | 'weekEarlier') =>
    days.map((day) =>
      apps.reduce<Figure>((sum, app) => {
        const index = app.days.indexOf(day);
        return index < 0 ? sum : plus(sum, app[of][index] ?? null);
      }, null),
    );
  return {
    days,
    values: sumOf('values'),
    weekEarlier: sumOf('weekEarlier'),
    firstDay: firstOfAll(apps),
    isLastPartial: apps.some((app) => app.isLastPartial),
  };
}
