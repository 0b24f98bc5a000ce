import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  toActive,
  toFigures,
  LOOKBACK_DAYS,
  toLayout,
  toRanges,
  toNamedSeries,
} from '../../../src/modules/questions/series/present.ts';
import { toBuckets, resolveWindow } from '../../../src/modules/questions/resolve/window.ts';
import type { SeriesCounts } from '../../../src/query/series/model.ts';
import type { CalendarInterval } from '../../../src/shared/calendar.ts';
import { keysBetween, keysOf, ZONES } from '../../support/calendar-keys.ts';

const RUNS = process.env.TEST_FULL ? 4_000 : 60;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Event = { person: number; ms: number };

/** What the query process would count, of these events. */
function counted(
  boundariesMs: readonly number[],
  ranges: readonly [number, number][],
  events: readonly Event[],
): SeriesCounts {
  const bucketOf = (ms: number) => boundariesMs.findLastIndex((from) => from <= ms);
  const inWindow = events.filter(({ ms }) => ms >= boundariesMs[0]! && ms < boundariesMs.at(-1)!);
  const byBucket = boundariesMs.slice(1).map(() => [] as number[]);
  for (const { person, ms } of inWindow) byBucket[bucketOf(ms)]!.push(person);
  return {
    events: byBucket.map((people) => people.length),
    people: ranges.map(([from, before]) => new Set(byBucket.slice(from, before).flat()).size),
  };
}

const LENGTHS: Record<CalendarInterval, number> = { hour: 3, day: 40, week: 60, month: 120 };
const PADS: Record<CalendarInterval, number> = { hour: 2, day: 30, week: 14, month: 62 };
const question = fc.record({
  timezone: fc.constantFrom(...ZONES),
  interval: fc.constantFrom('hour', 'day', 'week', 'month') as fc.Arbitrary<CalendarInterval>,
  now: fc.integer({ min: Date.UTC(2024, 1, 1), max: Date.UTC(2026, 11, 1) }),
  length: fc.nat(),
  compare: fc.boolean(),
  past: fc.boolean(),
  people: fc.integer({ min: 1, max: 120 }),
  seed: fc.array(fc.tuple(fc.nat(10_000), fc.nat(1_000_000)), { maxLength: 300 }),
});

test('a series of random events equals plain loops over the calendar of the zone', () => {
  fc.assert(
    fc.property(question, ({ timezone, interval, now, past, compare, people, ...given }) => {
      const days = 1 + (given.length % LENGTHS[interval]);
      const { keyOf, dayOf } = keysOf(timezone, interval);
      // Either the days before today and today so far, or dates that are over.
      const shift = (day: string, by: number) =>
        new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY).toISOString().slice(0, 10);
      const to = past ? shift(dayOf(now), -5) : dayOf(now);
      const dates = { from: shift(to, past ? 1 - days : -days), to };
      const window = resolveWindow(past ? dates : { days }, 28, timezone, new Date(now));
      const active = interval === 'day';
      const lookback = active ? LOOKBACK_DAYS : 0;
      const buckets = toBuckets(window, interval, { compare, lookback });
      const layout = toLayout(buckets, compare, active);
      const span = (compare ? 2 : 1) * (days + PADS[interval]) * DAY;
      const events = given.seed.map(([who, when]) => ({
        person: who % people,
        ms: now - Math.floor((when / 1_000_000) * span),
      }));
      const counts = counted(buckets.boundariesMs, toRanges(layout), events);
      const got = toFigures(counts, layout);

      const { keys, asked } = keysBetween(timezone, interval, {
        fromMs: now - span - 5 * DAY,
        toMs: now,
        days: [dates.from, dates.to],
      });
      const [first, last] = [keys.indexOf(asked[0]!), keys.indexOf(asked.at(-1)!)];
      const present = keys.indexOf(keyOf(now));
      const finished = Math.min(last + 1, present) - first;
      const eventsIn = (from: number, before: number) => {
        const wanted = new Set(keys.slice(from, before));
        return events.filter(({ ms }) => wanted.has(keyOf(ms)));
      };
      const peopleIn = (from: number, before: number) =>
        new Set(eventsIn(from, before).map(({ person }) => person)).size;
      const over: [number, number] = [first, first + finished];
      const prior: [number, number] = [first - finished, first];
      const change = (one: number, other: number) =>
        peopleIn(...prior) < 50 ? null : one / other - 1;
      const [nowPeople, nowEvents] = [peopleIn(...over), eventsIn(...over).length];
      const [wasPeople, wasEvents] = [peopleIn(...prior), eventsIn(...prior).length];
      expect(got.totals).toEqual({
        ...{ people: nowPeople, events: nowEvents },
        previousPeople: compare ? wasPeople : null,
        previousEvents: compare ? wasEvents : null,
        peopleChange: compare ? change(nowPeople, wasPeople) : null,
        eventsChange: compare ? change(nowEvents, wasEvents) : null,
      });
      const points = keys.slice(first, last + 1).map((_, index) => {
        const [key, before] = [first + index, first + index - finished];
        const isOver = index < finished;
        return {
          people: peopleIn(key, key + 1),
          events: eventsIn(key, key + 1).length,
          ...(isOver &&
            compare && {
              previousPeople: peopleIn(before, before + 1),
              previousEvents: eventsIn(before, before + 1).length,
            }),
          ...(!isOver && { partial: true }),
        };
      });
      expect(got.points.map(({ from: _, ...point }) => point)).toEqual(points as typeof got.points);
      expect(got.points.map(({ from }) => keyOf(Date.parse(from)))).toEqual(
        keys.slice(first, last + 1),
      );
      if (!active) return;
      const found = toActive(counts, layout);
      const of = (key: number) => ({
        dau: peopleIn(key, key + 1),
        wau: peopleIn(key - 6, key + 1),
        mau: peopleIn(key - 27, key + 1),
      });
      expect(found.points.map(({ dau, wau, mau }) => ({ dau, wau, mau }))).toEqual(
        keys.slice(first, last + 1).map((_, index) => of(first + index)),
      );
      expect(found.points.map(({ partial }) => partial)).toEqual(
        points.map((point) => ('partial' in point ? true : undefined)),
      );
      const mean = ([from, before]: [number, number]) => {
        const ratios: number[] = [];
        for (let key = from; key < before; key += 1) {
          const { dau, mau } = of(key);
          if (mau > 0) ratios.push(dau / mau);
        }
        const sum = ratios.reduce((total, ratio) => total + ratio, 0);
        return peopleIn(from, before) < 50 ? null : sum / ratios.length;
      };
      for (const [one, range] of [
        [found.dauOverMau, over],
        [found.previousDauOverMau, compare ? prior : null],
      ] as const) {
        const wanted = range && mean([...range]);
        if (wanted === null) expect(one).toBeNull();
        else expect(one).toBeCloseTo(wanted, 12);
      }
    }),
    { numRuns: RUNS },
  );
});

describe('a series of days', () => {
  const now = new Date('2026-03-20T12:00:00Z');
  const window = resolveWindow({ days: 2 }, 28, 'UTC', now);
  const buckets = toBuckets(window, 'day', { compare: true });
  const layout = toLayout(buckets, true, false);
  /** Sixteenth to nineteenth, and the day that is not over; people of the finished, then before. */
  const of = (now: number, before: number, events = [6, 4, 2, 3, 9]) =>
    toFigures({ events, people: [now, before, 6, 4, 2, 3, 9] }, layout);

  test('is compared with as many days before, without the day that is not over', () => {
    expect(toRanges(layout)).toEqual([
      ...[[2, 4] as [number, number], [0, 2] as [number, number]],
      ...Array.from({ length: 5 }, (_, day): [number, number] => [day, day + 1]),
    ]);
    expect(of(60, 50)).toEqual({
      totals: {
        ...{ people: 60, events: 5, previousPeople: 50, previousEvents: 10 },
        ...{ peopleChange: 60 / 50 - 1, eventsChange: 5 / 10 - 1 },
      },
      points: [
        {
          from: '2026-03-18T00:00:00.000Z',
          people: 2,
          events: 2,
          previousPeople: 6,
          previousEvents: 6,
        },
        {
          from: '2026-03-19T00:00:00.000Z',
          people: 3,
          events: 3,
          previousPeople: 4,
          previousEvents: 4,
        },
        { from: '2026-03-20T00:00:00.000Z', people: 9, events: 9, partial: true },
      ],
    });
  });

  test('has no change since fewer than fifty people', () => {
    expect(of(60, 49).totals).toMatchObject({ peopleChange: null, eventsChange: null });
    expect(of(0, 50).totals.peopleChange).toBe(-1);
    // People without events cannot be, but nothing is divided by zero.
    expect(of(60, 50, [0, 0, 2, 3, 9]).totals.eventsChange).toBeNull();
  });

  test('is given for each value, what is left over as other', () => {
    const counts = { events: [0, 0, 1, 1, 1], people: [1, 0, 0, 0, 1, 1, 1] };
    const total = { events: [], people: [] };
    const series = [
      { value: 'ios', ...counts },
      { value: null, ...counts },
    ];
    const found = toNamedSeries({ total, series, dataThroughMs: 0 }, layout);
    expect(found.map(({ key }) => key)).toEqual(['ios', 'other']);
    expect(found[0]).toEqual({ key: 'ios', ...toFigures(counts, layout) });
  });

  test('is divided by the people of its month where fifty were there, days without any left out', () => {
    const single = toBuckets(window, 'day', { lookback: LOOKBACK_DAYS });
    const alone = toLayout(single, false, true);
    expect(LOOKBACK_DAYS).toBe(27);
    expect(toRanges(alone).slice(-2)).toEqual([
      [23, 30],
      [2, 30],
    ]);
    const people = (total: number, months: number[]) => [
      ...[total, 0, ...Array.from({ length: 27 }, () => 0), 10, 20, 30],
      ...months.flatMap((mau) => [mau / 2, mau]),
    ];
    const ofPeople = (total: number, months: number[]) =>
      toActive({ events: [], people: people(total, months) }, alone);
    expect(ofPeople(50, [40, 40, 60])).toEqual({
      points: [
        { from: '2026-03-18T00:00:00.000Z', dau: 10, wau: 20, mau: 40 },
        { from: '2026-03-19T00:00:00.000Z', dau: 20, wau: 20, mau: 40 },
        { from: '2026-03-20T00:00:00.000Z', dau: 30, wau: 30, mau: 60, partial: true },
      ],
      dauOverMau: (10 / 40 + 20 / 40) / 2,
      previousDauOverMau: null,
    });
    expect(ofPeople(49, [40, 40, 60]).dauOverMau).toBeNull();
    expect(ofPeople(50, [0, 40, 60]).dauOverMau).toBe(20 / 40);
    expect(ofPeople(50, [0, 0, 60]).dauOverMau).toBeNull();
  });
});
