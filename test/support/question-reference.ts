import type { EventRow } from '../../src/event-store/event/columns.ts';
import type { Dimension } from '../../src/query/selection/dimension.ts';
import type { EventFilters } from '../../src/query/selection/filters.ts';
import type { MeasuresQuestion } from '../../src/query/measures/model.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import type { Selected } from '../../src/query/selection/selected.ts';
import { isSelected, plainRetention } from './asked-reference.ts';
import { isMeant } from './conditions-reference.ts';
import { numberIn, shownOf } from './breakdown-reference.ts';
import { countedInAnyOrder, countedPathBy } from './funnel-reference.ts';
import { type Measurable, measuredBy } from './measures-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

/** What questions mean, by plain loops: no code of the service is in it. */
function passes(row: EventRow, { platform, appVersion, country, property }: EventFilters): boolean {
  if (platform !== undefined && (row.platform ?? 'other') !== platform) return false;
  if (appVersion !== undefined && (row.appVersion ?? 'unknown') !== appVersion) return false;
  if (country !== undefined && (row.country ?? 'unknown') !== country) return false;
  if (property === undefined) return true;
  const props: Record<string, unknown> = row.props === null ? {} : JSON.parse(row.props);
  const value = Object.hasOwn(props, property.prop) ? props[property.prop] : null;
  return value !== null && String(value) === property.equals;
}

export type Asked = {
  names: readonly string[] | null;
  filters: EventFilters;
  where?: Selected['where'];
};

export const isAsked = (row: EventRow, { names, filters, where }: Asked): boolean =>
  (names === null || names.includes(row.name)) && passes(row, filters) && isMeant(row, where);

/** As sessions and measures are recomputed. */
export const happened = (events: readonly PlainEvent[], asked: Asked, prop = ''): Measurable[] =>
  events.map(({ person, row }) => ({
    ...{ person, session: row.sessionId, name: row.name, at: row.occurredAtUs },
    ...{ isMeant: isAsked(row, asked), number: numberIn(row, prop) },
  }));

export type PlainFunnel = {
  steps: readonly Selected[];
  fromUs: number;
  startBeforeUs: number;
  windowUs: number;
  filters: EventFilters;
  where?: Selected['where'];
  firstStartOnly: boolean;
  newPeopleOnly: boolean;
  isAnyOrder: boolean;
  exclusions: readonly { events: Selected; from: number; to: number }[];
  breakdown: Dimension | null;
  trendFromUs: readonly number[];
  dataThroughMs: number;
};

const begins = (row: EventRow, { steps, isAnyOrder }: PlainFunnel): boolean =>
  (isAnyOrder ? steps : steps.slice(0, 1)).some((step) => isSelected(row, step));

type Entrant = { row: EventRow; times: number[]; lastStart: number };

function entrantsOf(asked: PlainFunnel, events: readonly PlainEvent[]): Entrant[] {
  const { steps, fromUs, startBeforeUs, windowUs, exclusions, firstStartOnly } = asked;
  const placed = events.map(({ person, row }) => ({
    ...{ person, row, at: row.occurredAtUs, arrival: row.arrival, batchIndex: row.batchIndex },
  }));
  const rules = { steps, fromUs, untilUs: startBeforeUs, windowUs, exclusions, firstStartOnly };
  return [...Map.groupBy(placed, ({ person }) => person).values()].flatMap((own) => {
    if (asked.newPeopleOnly && own.some(({ at }) => at < fromUs)) return [];
    const isStep = ({ row }: { row: EventRow }, step: Selected) => isSelected(row, step);
    const path = (asked.isAnyOrder ? countedInAnyOrder : countedPathBy)(own, rules, isStep);
    const [start] = path?.events ?? [];
    if (!path || !start) return [];
    if (!passes(start.row, asked.filters) || !isMeant(start.row, asked.where)) return [];
    const starts = own
      .filter(({ at, row }) => at >= fromUs && at < startBeforeUs && begins(row, asked))
      .map(({ at }) => at);
    const last = firstStartOnly ? Math.min(...starts) : Math.max(...starts);
    const { times } = path;
    return [{ row: start.row, times, lastStart: times.length === 1 ? last : times[0]! }];
  });
}

function middle(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2 / 1_000_000;
}

function tallyOf(entrants: readonly Entrant[], steps: number) {
  const numbers = Array.from({ length: steps }, (_, step) => step);
  const times = entrants.map((one) => one.times);
  const between = (step: number, from: number) =>
    middle(times.filter((one) => one.length > step).map((one) => one[step]! - one[from]!));
  return {
    people: numbers.map((step) => times.filter((one) => one.length > step).length),
    medianSecondsFromPrevious: numbers.map((step) => (step === 0 ? null : between(step, step - 1))),
    medianSecondsFromStart: numbers.map((step) => (step === 0 ? null : between(step, 0))),
  };
}

/** Up to twenty values by their people, and the rest; with a rest, the name of the rest is no value. */
const isOfNames = (row: EventRow, steps: readonly Selected[]): boolean =>
  steps.some(({ events }) => isSelected(row, events ? { events } : {}));

function groupsOf(entrants: readonly Entrant[], asked: PlainFunnel, events: readonly PlainEvent[]) {
  const { breakdown, steps, fromUs, startBeforeUs } = asked;
  if (breakdown === null) return {};
  const begins = events.filter(
    ({ row }) =>
      row.occurredAtUs >= fromUs &&
      row.occurredAtUs < startBeforeUs &&
      (asked.isAnyOrder ? isOfNames(row, steps) : isSelected(row, steps[0]!)),
  );
  const { textOf, facts, isGiven } = shownOf(
    begins.map(({ row }) => row),
    breakdown,
    20,
  );
  const byText = [...Map.groupBy(entrants, ({ row }) => textOf(row))].toSorted(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
  const isAll = byText.length <= 20;
  const named = isAll ? byText : byText.filter(([text]) => text !== 'other').slice(0, 20);
  const rest = byText.filter((one) => !named.includes(one)).flatMap(([, some]) => some);
  const groups = [
    ...named.map(([value, some]) => ({ value, tally: tallyOf(some, steps.length) })),
    ...(rest.length > 0 ? [{ value: null, tally: tallyOf(rest, steps.length) }] : []),
  ];
  return { breakdown: groups, ...(isGiven && { brokenDown: facts }) };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ROUND = [
  ...[0, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
  ...[1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * DAY),
];

function timesOf(entrants: readonly Entrant[], { steps, windowUs }: PlainFunnel) {
  const window = windowUs / 1_000_000;
  const bounds = ROUND.filter((bound) => bound === 0 || bound < window);
  const took = entrants
    .filter(({ times }) => times.length === steps.length)
    .map(({ times }) => (times.at(-1)! - times[0]!) / 1_000_000);
  return bounds.map((fromSeconds, place) => {
    const toSeconds = bounds[place + 1] ?? window;
    const isLast = place === bounds.length - 1;
    const people = took.filter((one) => one >= fromSeconds && (isLast || one < toSeconds)).length;
    return { fromSeconds, toSeconds, people };
  });
}

export function plainFunnelAnswer(asked: PlainFunnel, events: readonly PlainEvent[]) {
  const entrants = entrantsOf(asked, events);
  const { steps, trendFromUs, dataThroughMs, windowUs } = asked;
  const points = trendFromUs.map((fromUs, place) => {
    const endUs = trendFromUs[place + 1] ?? Infinity;
    const begun = entrants.filter(({ times: [at] }) => at! >= fromUs && at! < endUs);
    const finished = begun.filter(({ times }) => times.length === steps.length);
    return { fromUs, people: begun.length, finished: finished.length };
  });
  return {
    total: tallyOf(entrants, steps.length),
    maturePeople: entrants.filter(({ lastStart }) => lastStart + windowUs < dataThroughMs * 1_000)
      .length,
    breakdown: null,
    ...groupsOf(entrants, asked, events),
    trend: points,
    distribution: timesOf(entrants, asked),
  };
}

/** What the events with each value measure, as if they alone were asked for. */
export function plainMeasures(
  { measure, breakdown, boundariesUs, ranges, valuesFrom = 0, ...asked }: MeasuresQuestion,
  events: readonly PlainEvent[],
) {
  const prop = 'property' in measure ? measure.property : '';
  const measuredOf = (isIn: (row: EventRow) => boolean) => {
    const all = happened(events, asked, prop).map((one, index) => ({
      ...one,
      isMeant: one.isMeant && isIn(events[index]!.row),
    }));
    return measuredBy(measure, all, boundariesUs, ranges);
  };
  const total = measuredOf(() => true);
  if (!breakdown) return { measured: total };
  const inWindow = events
    .map(({ row }) => row)
    .filter(
      (row) =>
        isAsked(row, asked) &&
        row.occurredAtUs >= boundariesUs[valuesFrom]! &&
        row.occurredAtUs < boundariesUs.at(-1)!,
    );
  const { values, textOf, facts, isGiven } = shownOf(inWindow, breakdown, 6);
  const series = [...values, null].flatMap((value) => {
    const measured = measuredOf((row) =>
      value === null ? !values.includes(textOf(row)) : textOf(row) === value,
    );
    const isAlways = value !== null && !(isGiven && value === 'unknown');
    return isAlways || measured.some(({ count }) => count > 0) ? [{ value, measured }] : [];
  });
  return { measured: total, series, brokenDown: facts };
}

/** Of each value, what it would be of starts with that value alone. */
export function plainBrokenRetention(
  { breakdown, ...question }: RetentionQuestion,
  selections: { start: Selected; comingBack: Selected },
  events: readonly PlainEvent[],
) {
  const total = plainRetention(question, selections, events);
  if (!breakdown) return total;
  const { boundariesUs, cohorts } = question;
  const starts = events.filter(
    ({ row }) =>
      isSelected(row, selections.start) &&
      row.occurredAtUs >= boundariesUs[0]! &&
      row.occurredAtUs < boundariesUs[cohorts]!,
  );
  const rows = starts.map(({ row }) => row);
  const { values, textOf, facts, isGiven } = shownOf(rows, breakdown, 6);
  const groups = [...values, null].flatMap((value) => {
    const counted = plainRetention(question, selections, events, (row) =>
      value === null ? !values.includes(textOf(row)) : textOf(row) === value,
    );
    const isAlways = value !== null && !(isGiven && value === 'unknown');
    return isAlways || counted.people > 0 ? [{ value, ...counted }] : [];
  });
  return { ...total, groups, brokenDown: facts };
}
