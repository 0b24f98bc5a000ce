import { duration, exactNumber, locale } from '../../format.ts';
import { COUNTS, GOOD_COUNTS, GOOD_RATES } from '../../parts/chart/formats.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import type {
  ChartSeries,
  Comparison,
  Figure,
  Format,
  TooltipRow,
  Unit,
} from '../../parts/chart/types.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import type { TrendAsk } from '../../state/ask.ts';
import { addDays, daysBetween } from '../../state/days.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { trends as t } from '../../texts/trends.ts';
import { type Line, type Lines, namesOf } from './lines.ts';
import { placeOf } from './places.ts';
import type { Asked } from './queries.ts';

/** With the names that the route of people takes. */
export type Drawing = {
  unit: Unit;
  days: readonly string[];
  starts: readonly string[];
  series: readonly ChartSeries[];
  format: Format;
  isLastPartial: boolean;
  peopleOf: (index: number, key: string | undefined) => Figure;
  previous?: Comparison;
  rowsOf?: (index: number) => readonly TooltipRow[];
};

const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const showNumber = (value: number): string => decimal.format(value);

export function formatOf({ measure, breakdown }: TrendAsk): Format {
  if (measure.of === 'sessionLength') return { show: duration, tick: duration };
  const isCount = ['people', 'events', 'sessions'].includes(measure.of);
  if (!isCount) return { show: showNumber, tick: showNumber };
  return breakdown === VERSION ? COUNTS : GOOD_COUNTS;
}

/** Pairs of values have more; the table has all. */
const MAX_DRAWN = 7;

export function shownLines<T extends { key: string }>(
  lines: readonly T[],
  only: string | undefined,
): readonly T[] {
  const chosen = lines.filter(({ key }) => key === only);
  return chosen.length > 0 ? chosen : lines;
}

function comparisonOf(line: Line, { placesBefore }: Lines): Comparison | undefined {
  if (line.before.every((value) => value === null)) return undefined;
  return { name: t.before, values: line.before, days: placesBefore };
}

/** `isCompared`: with the window before, for one line. */
export function linesDrawing(
  { ask, first }: Asked,
  lines: Lines,
  options: { only: string | undefined; isCompared: boolean },
): Drawing {
  const shown = shownLines(lines.lines, options.only);
  const [line, second] = shown;
  const previous = options.isCompared && line && !second ? comparisonOf(line, lines) : undefined;
  const ofAll = (index: number): Figure =>
    first.kind === 'series' ? (first.points[index]?.people ?? null) : null;
  return {
    unit: first.interval,
    days: lines.places,
    starts: lines.starts,
    series: shown
      .slice(0, MAX_DRAWN)
      .map(({ key, name, slot, values }) => ({ key, name, slot, values })),
    format: formatOf(ask),
    isLastPartial: lines.finished < lines.places.length,
    peopleOf: (index, key) =>
      lines.lines.find((one) => one.key === key)?.peopleAt[index] ?? ofAll(index),
    ...(previous && { previous }),
  };
}

type Active = NonNullable<EventSeries['active']>;

export const ratioOf = ({ dau, mau }: Active['points'][number]): Figure =>
  mau > 0 ? dau / mau : null;

export function ratioDrawing(
  answers: readonly EventSeries[],
  ask: TrendAsk,
  only: string | undefined,
): Drawing | null {
  const names = namesOf(ask);
  const known = answers.flatMap(({ active, timezone }, index) =>
    active && active.dauOverMau !== null
      ? [{ ...{ key: t.ratio, name: t.ratio }, ...names[index], timezone, active }]
      : [],
  );
  const [first] = known;
  if (!first) return null;
  const { points } = first.active;
  const isSingle = known.length === 1;
  const shown = shownLines(known, only);
  return {
    unit: 'day',
    days: points.map(({ from }) => placeOf(from, first.timezone, 'day')),
    starts: points.map(({ from }) => from),
    series: shown.map(({ key, name, active }) => ({
      key,
      name: isSingle ? t.ratio : name,
      slot: slotOf(known.findIndex((one) => one.key === key)),
      values: active.points.map(ratioOf),
    })),
    format: GOOD_RATES,
    isLastPartial: points.at(-1)?.partial ?? false,
    peopleOf: (index, key) =>
      (known.find((one) => one.key === key) ?? first).active.points[index]?.dau ?? null,
    rowsOf: (index) => (isSingle ? rowsOf(points[index]) : []),
  };
}

const rowsOf = (point: Active['points'][number] | undefined): TooltipRow[] =>
  point
    ? [
        { label: t.daily, value: exactNumber(point.dau) },
        { label: t.weekly, value: exactNumber(point.wau) },
        { label: t.monthly, value: exactNumber(point.mau) },
      ]
    : [];

/** Days of a figure beside its own. */
const LOOKBACK = { dau: 0, wau: 6, mau: 27 };

/** As rows below their ratio. */
export function activeLines(
  { active, timezone }: EventSeries,
  firstDay: string | null,
): Lines | null {
  if (!active) return null;
  const places = active.points.map(({ from }) => placeOf(from, timezone, 'day'));
  const line = (key: keyof typeof LOOKBACK, name: string, slot: 1 | 2 | 3): Line => ({
    key,
    name,
    slot,
    source: undefined,
    ...{ people: null, peopleAt: [] },
    values: active.points.map((point) => point[key]),
    before: [],
    total: active.points.findLast(({ partial }) => !partial)?.[key] ?? 0,
    change: null,
    ...(firstDay !== null && {
      comparableFrom: daysBetween(places[0] ?? firstDay, addDays(firstDay, LOOKBACK[key])),
    }),
  });
  return {
    places,
    starts: active.points.map(({ from }) => from),
    placesBefore: [],
    finished: active.points.filter(({ partial }) => !partial).length,
    lines: [line('dau', t.daily, 1), line('wau', t.weekly, 2), line('mau', t.monthly, 3)],
  };
}
