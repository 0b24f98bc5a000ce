import type { EventRow } from '../../src/event-store/event/columns.ts';
import type { Dimension } from '../../src/query/selection/dimension.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { bucketOf } from './asked-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

/** Breakdowns by plain loops: no code of the service is in it. */
const byCodePoints = (one: string, other: string): number => {
  const [a, b] = [[...one], [...other]];
  for (let place = 0; place < Math.min(a.length, b.length); place += 1) {
    const difference = a[place]!.codePointAt(0)! - b[place]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

function sentProp(row: EventRow, prop: string): unknown {
  const props: Record<string, unknown> = row.props === null ? {} : JSON.parse(row.props);
  return Object.hasOwn(props, prop) ? props[prop] : null;
}

export const numberIn = (row: EventRow, prop: string): number | null => {
  const value = sentProp(row, prop);
  return typeof value === 'number' ? value : null;
};

/** `below 5`, `5 to 10`, `10 or more`. */
function labelIn(bounds: readonly number[], value: number): string {
  if (bounds.length === 0) return 'any number';
  let above = 0;
  while (above < bounds.length && value >= bounds[above]!) above += 1;
  if (above === 0) return `below ${bounds[0]}`;
  if (above === bounds.length) return `${bounds[above - 1]} or more`;
  return `${bounds[above - 1]} to ${bounds[above]}`;
}

/** All names that values in ranges can have, in order. */
const labelsOf = (bounds: readonly number[]): string[] => {
  const inside = bounds.map((bound) => labelIn(bounds, bound));
  const below = bounds.length === 0 ? labelIn(bounds, 0) : labelIn(bounds, -Infinity);
  return [below, ...inside, 'unknown'];
};

const firsts = new WeakMap<EventRow, EventRow>();

const isEarlier = (one: EventRow, other: EventRow): boolean =>
  (one.occurredAtUs - other.occurredAtUs ||
    one.batchIndex - other.batchIndex ||
    one.arrival - other.arrival) < 0;

export const firstOf = (row: EventRow): EventRow => firsts.get(row)!;

/** Which event of its person came first, for breakdowns by it. */
export function rememberFirsts(plain: readonly PlainEvent[]): void {
  for (const own of Map.groupBy(plain, ({ person }) => person).values()) {
    const rows = own.map(({ row }) => row);
    const first = rows.reduce((found, row) => (isEarlier(row, found) ? row : found));
    for (const row of rows) firsts.set(row, first);
  }
}

export function sentText(row: EventRow, by: Dimension, bounds: readonly number[] | null): string {
  if (by.kind === 'first') return sentText(firstOf(row), by.of, null);
  if (by.kind === 'inArm') throw new Error('Arms are not drawn.');
  if (by.kind === 'platform') return row.platform ?? 'other';
  if (by.kind === 'name') return row.name;
  if (by.kind !== 'prop') return row[by.kind] ?? 'unknown';
  const value = sentProp(row, by.prop);
  if (bounds) return typeof value === 'number' ? labelIn(bounds, value) : 'unknown';
  return value === null || value === undefined ? 'unknown' : String(value);
}

/** How many digits a number has that are not zeros at its end, and whether they are 1, 2 or 5. */
function roundnessOf(value: number): number {
  if (value === 0) return Infinity;
  const [digits = '', power = '0'] = Math.abs(value).toExponential(11).split('e');
  const figures = digits.replace('.', '').replace(/0+$/, '');
  const lowest = Number(power) - figures.length + 1;
  const last = Number(figures.slice(-1));
  // Of one place a multiple of 5 is rounder than an even number, and that than an odd one.
  return lowest + (last % 5 === 0 ? 0.7 : last % 2 === 0 ? 0.3 : 0);
}

/** The roundest number between two, and of several the nearest to a third; by trying them. */
function roundestOf(value: number, low: number, high: number): number {
  let best: number | null = null;
  for (let power = 30; power >= -20 && best === null; power -= 1) {
    const unit = Number(`1e${power}`);
    const first = Math.round(value / unit);
    for (let step = -12; step <= 12; step += 1) {
      const tried = Number(((first + step) * unit).toPrecision(12));
      if (tried < low || tried > high) continue;
      const [own, known] = [roundnessOf(tried), best === null ? -Infinity : roundnessOf(best)];
      const isNearer = best === null || Math.abs(tried - value) < Math.abs(best - value);
      if (own > known || (own === known && isNearer)) best = tried;
    }
  }
  return best ?? value;
}

/** Where a person would draw ranges through these numbers. */
export function plainBounds(numbers: readonly number[]): number[] {
  if (numbers.length === 0) return [];
  const sorted = numbers.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
    (tenth) => sorted[Math.max(0, Math.ceil((tenth * sorted.length) / 10) - 1)]!,
  );
  const found: number[] = [];
  for (const [place, value] of tenths.entries()) {
    const below = place === 0 ? least : tenths[place - 1]!;
    const above = place === 8 ? most : tenths[place + 1]!;
    const bound = roundestOf(value, (below + value) / 2, (value + above) / 2);
    if (bound > least && bound <= most && !found.includes(bound)) found.push(bound);
  }
  return found;
}

const countBy = (texts: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || byCodePoints(a, b));
};

/** What is shown of a dimension of these events, and how many values are not. */
export function shownOf(rows: readonly EventRow[], by: Dimension, most: number) {
  if (by.kind === 'prop' && by.bounds !== undefined) {
    const numbers = rows.flatMap((row) => numberIn(row, by.prop) ?? []);
    const bounds = by.bounds ?? plainBounds(numbers);
    const textOf = (row: EventRow) => sentText(row, by, bounds);
    return { values: labelsOf(bounds), textOf, facts: { others: 0, bounds }, isGiven: true };
  }
  const textOf = (row: EventRow) => sentText(row, by, null);
  const ranked = countBy(rows.map(textOf));
  const values = ranked.slice(0, most).map(([text]) => text);
  return { values, textOf, facts: { others: ranked.length - values.length }, isGiven: false };
}

type Axis = Pick<SeriesQuestion, 'boundariesUs' | 'ranges' | 'valuesFrom'>;

/** Of events that are meant. */
export function plainBrokenDown(
  { boundariesUs, ranges, valuesFrom }: Axis,
  dimensions: readonly Dimension[],
  events: readonly PlainEvent[],
) {
  const bucket = ({ row }: PlainEvent) => bucketOf(boundariesUs, row.occurredAtUs);
  const inWindow = events.filter((event) => bucket(event) >= valuesFrom).map(({ row }) => row);
  const shown = dimensions.map((by) => shownOf(inWindow, by, 6));
  const countsOf = (list: readonly PlainEvent[]) => ({
    events: boundariesUs.slice(1).map((_, n) => list.filter((event) => bucket(event) === n).length),
    people: ranges.map(([from, before]) => {
      const own = list.filter((event) => bucket(event) >= from && bucket(event) < before);
      return new Set(own.map(({ person }) => person)).size;
    }),
  });
  const placeOf = (row: EventRow) =>
    shown.map(({ values, textOf }) => {
      const text = textOf(row);
      return values.includes(text) ? text : null;
    });
  const pairs: (string | null)[][] = shown.reduce<(string | null)[][]>(
    (all, { values }) => all.flatMap((head) => [...values, null].map((value) => [...head, value])),
    [[]],
  );
  const series = pairs.flatMap((names) => {
    const key = JSON.stringify(names);
    const own = events.filter(({ row }) => JSON.stringify(placeOf(row)) === key);
    const counts = countsOf(own);
    const isAlone = names.length === 1 && names[0] !== null;
    const isShown = isAlone && !(shown[0]!.isGiven && names[0] === 'unknown');
    if (!isShown && counts.events.every((count) => count === 0)) return [];
    const [value = null, crossed = null] = names;
    return [{ value, ...(names.length > 1 && { crossed }), ...counts }];
  });
  return { total: countsOf(events), series, brokenDown: shown.map(({ facts }) => facts) };
}
