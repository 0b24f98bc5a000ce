import fc from 'fast-check';
import { COUNTED, type Measure, STATISTICS } from '../../src/query/measures/model.ts';
import type { EventFilters } from '../../src/query/selection/filters.ts';
import type { Selected } from '../../src/query/selection/selected.ts';
import { keysOf, ZONES } from './calendar-keys.ts';
import {
  conditionsOf,
  randomCondition,
  randomConditions,
  randomFacts,
} from './random-conditions.ts';
import { randomDimension } from './random-dimensions.ts';
import { clauseOf, holders, named, ruleOf } from './random-segments.ts';
import { type StitchedCase, stitchedCases } from './stitched-events.ts';

const SECOND_US = 1_000_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const QUARTER_MS = 900_000;

/** Days on which the clocks of zones change. */
const CHANGES: Readonly<Record<(typeof ZONES)[number], readonly string[]>> = {
  UTC: ['2026-03-29'],
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'America/Santiago': ['2026-04-05', '2026-09-06'],
  'Asia/Kathmandu': ['2026-06-15'],
  'Africa/Cairo': ['2026-04-24', '2026-10-30'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Pacific/Auckland': ['2026-04-05', '2026-09-27'],
};

const AXES = {
  hour: { before: 30 * HOUR, count: 62 },
  day: { before: 14 * DAY, count: 30 },
  week: { before: 49 * DAY, count: 14 },
} as const;
type Interval = keyof typeof AXES;

const known = new Map<string, number[]>();

/** Where the intervals of a zone around a day begin, in seconds: instants at which their names change. */
function beginningsOf(timezone: string, day: string, interval: Interval): number[] {
  const name = `${timezone} ${day} ${interval}`;
  const found = known.get(name);
  if (found) return found;
  const { before, count } = AXES[interval];
  const { keyOf } = keysOf(timezone, interval);
  const made: number[] = [];
  let ms = Date.parse(`${day}T00:00:00Z`) - before * 1_000;
  let key = keyOf(ms);
  while (made.length <= count) {
    ms += QUARTER_MS;
    const next = keyOf(ms);
    if (next !== key) made.push(ms / 1_000);
    key = next;
  }
  known.set(name, made);
  return made;
}

const axis = fc
  .record({
    timezone: fc.constantFrom(...ZONES),
    change: fc.nat(1),
    interval: fc.constantFrom<Interval>('hour', 'day', 'day', 'week'),
    first: fc.nat(8),
    count: fc.oneof(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 20 })),
  })
  .map(({ timezone, change, interval, first, count }) => {
    const days = CHANGES[timezone];
    const all = beginningsOf(timezone, days[change % days.length] ?? '', interval);
    const last = Math.min(all.length, (interval === 'hour' ? 3 : 1) * first + count + 1);
    return { timezone, interval, seconds: all.slice(Math.max(0, last - count - 1), last) };
  });
export type Axis = typeof axis extends fc.Arbitrary<infer T> ? T : never;

const SEGMENTS = ['seg_a', 'seg_b'] as const;
const member = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ segment: fc.constantFrom(...SEGMENTS), is: fc.boolean() }),
  },
  fc.record({
    segment: fc.constant('seg_c'),
    is: fc.boolean(),
    asOf: fc.constant('event' as const),
  }),
);
const conditions = fc.oneof(
  { weight: 4, arbitrary: randomConditions },
  conditionsOf(fc.oneof({ weight: 2, arbitrary: randomCondition }, member)),
);

const selection: fc.Arbitrary<Selected> = fc.record(
  {
    events: fc.subarray(['opened', 'bought', 'closed'], { minLength: 1 }),
    where: conditions,
  },
  { requiredKeys: [] },
);
const filters = fc.constantFrom<EventFilters>(
  ...[{}, {}, {}, {}],
  { platform: 'other' },
  { appVersion: '2.9', country: 'unknown' },
  { property: { prop: 'plan', equals: '5' } },
);
const where = fc.option(conditions, { nil: undefined });
const names = fc.constantFrom<string[] | null>(null, null, ['opened'], ['bought', 'closed']);
const events = fc.record({ names, filters, where });
const places = fc.record({ from: fc.nat(20), length: fc.integer({ min: 1, max: 20 }) });
const windowSeconds = fc.oneof(
  fc.constantFrom(0, HOUR, DAY, 3 * DAY, 10 * DAY),
  fc.nat({ max: 5 * DAY }),
);

const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom(...COUNTED).map((of) => ({ of })),
  fc.record({
    of: fc.constant('property' as const),
    property: fc.constantFrom('plan', 'price', 'a"b'),
    statistic: fc.constantFrom(...STATISTICS),
    per: fc.constantFrom('event' as const, 'person' as const),
  }),
);

const question = fc.oneof(
  fc.record({
    kind: fc.constant('series' as const),
    ...{ events, place: fc.nat(20) },
    asked: fc.oneof(
      fc.constant({ names: true as const }),
      fc.record({ selections: fc.array(selection, { minLength: 1, maxLength: 4 }) }),
      fc.record({ segments: fc.subarray([...SEGMENTS], { minLength: 1 }) }),
      fc.record({ dimensions: fc.array(randomDimension, { minLength: 1, maxLength: 2 }) }),
      fc.record({ dimensions: fc.array(randomDimension, { minLength: 1, maxLength: 2 }) }),
    ),
  }),
  fc.record({
    kind: fc.constant('funnel' as const),
    ...{ places, windowSeconds, filters, where },
    steps: fc.array(selection, { minLength: 2, maxLength: 4 }),
    breakdown: fc.option(randomDimension),
    excluded: fc.option(fc.record({ events: selection, from: fc.nat(3), length: fc.nat(2) })),
    order: fc.constantFrom<'any' | 'in_order' | 'strict'>('in_order', 'in_order', 'strict', 'any'),
    firstStartOnly: fc.boolean(),
    newPeopleOnly: fc.constantFrom(false, false, true),
  }),
  fc.record({
    kind: fc.constant('retention' as const),
    ...{ start: selection, comingBack: selection, breakdown: fc.option(randomDimension) },
    isSame: fc.boolean(),
    cohort: fc.constantFrom('first' as const, 'recurring' as const),
    criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
    periodSeconds: fc.constantFrom(null, null, DAY, 7 * DAY, HOUR),
    periods: fc.integer({ min: 1, max: 12 }),
    cohorts: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({
    kind: fc.constant('measures' as const),
    ...{ events, measure, place: fc.nat(20), breakdown: fc.option(randomDimension) },
  }),
  fc.record({
    kind: fc.constant('lifecycle' as const),
    ...{ events, breakdown: fc.option(randomDimension) },
  }),
  fc.record({
    kind: fc.constant('paths' as const),
    ...{ events, places },
    direction: fc.constantFrom('after' as const, 'before' as const),
    shown: fc.integer({ min: 1, max: 3 }),
  }),
);
export type Drawn = typeof question extends fc.Arbitrary<infer T> ? T : never;
export type DrawnAs<K extends Drawn['kind']> = Extract<Drawn, { kind: K }>;

/** Around the axis, often on a full hour, on the instant at which an interval begins, or beside it. */
function timesAround({ seconds }: Axis): fc.Arbitrary<number> {
  const [from = 0, to = 0] = [(seconds[0] ?? 0) - 2 * DAY, (seconds.at(-1) ?? 0) + DAY];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: from, max: to }) },
    { weight: 2, arbitrary: fc.nat(Math.floor((to - from) / HOUR)).map((n) => from + n * HOUR) },
    fc
      .tuple(fc.constantFrom(...seconds), fc.constantFrom(-1, 0, 0, 1))
      .map(([instant, beside]) => instant + beside),
  );
}

/** Some people are being erased now and then, as everything is then read otherwise. */
const oftenWithoutErased = (made: StitchedCase): StitchedCase =>
  made.shapes.length % 5 === 0 ? made : { ...made, erased: [] };

export const MAX_EVENTS = 80;

/** Where each day of the axis' zone begins, in seconds. */
export function daysOf({ timezone, seconds }: Axis): Map<string, number> {
  const noon = new Date((seconds[0] ?? 0) * 1_000 + 12 * HOUR * 1_000);
  const begins = beginningsOf(timezone, noon.toISOString().slice(0, 10), 'day');
  const { keyOf } = keysOf(timezone, 'day');
  return new Map(begins.map((second) => [keyOf(second * 1_000), second]));
}

/** Rules of segments, when they are asked about and who is entitled then. */
function segmentsAround(axis: Axis) {
  const clause = clauseOf(randomConditions, fc.constantFrom(...daysOf(axis).keys()));
  const ofEvents = clause.filter((one) => !('entitled' in one));
  const last = axis.seconds.at(-1) ?? 0;
  return fc.record({
    rules: fc.record({
      seg_a: ruleOf(fc.oneof({ weight: 3, arbitrary: clause }, named('seg_b'))),
      seg_b: ruleOf(clause),
      seg_c: ruleOf(ofEvents),
    }),
    entitled: holders,
    now: fc.integer({ min: axis.seconds[0] ?? 0, max: last + 2 * DAY }),
  });
}
export type DrawnSegments =
  ReturnType<typeof segmentsAround> extends fc.Arbitrary<infer T> ? T : never;

/** Events, and questions about them in the calendar of a zone. */
export const askedCases = (questions: number) =>
  axis.chain((drawn) =>
    fc.record({
      axis: fc.constant(drawn),
      segments: segmentsAround(drawn),
      made: stitchedCases(timesAround(drawn), MAX_EVENTS, randomFacts).map(oftenWithoutErased),
      questions: fc.array(question, { minLength: questions, maxLength: questions }),
    }),
  );

export const microseconds = (seconds: number): number => seconds * SECOND_US;
