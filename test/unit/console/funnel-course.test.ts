import { describe, expect, test } from 'bun:test';
import { moved } from '../../../src/console/pages/funnels/draft.ts';
import { listedOf, listedParameters } from '../../../src/console/pages/funnels/listed.ts';
import {
  badDays,
  courseOf,
  isByDay,
  meanOfDays,
  sinceFirst,
  versionMarks,
} from '../../../src/console/pages/funnels/trend.ts';

type Points = Parameters<typeof courseOf>[0];

/** Days from 1 November on, of people who entered and of those who got to the end. */
const pointsOf = (days: readonly (readonly [number, number])[]): Points =>
  days.map(([people, finished], at) => ({
    from: `2026-11-${String(at + 1).padStart(2, '0')}T00:00:00.000Z`,
    people,
    ...(people < 50
      ? { verdict: 'too_few_people', rate: null, rateLow: null, rateHigh: null }
      : { verdict: 'ready', rate: finished / people, rateLow: 0, rateHigh: 1 }),
  }));

describe('the course of a conversion', () => {
  test('is each day with the two before it, by people and not by rates', () => {
    const [first] = meanOfDays(
      pointsOf([
        [100, 10],
        [300, 15],
        [100, 5],
      ]),
    );
    expect(first?.rate).toBeCloseTo(30 / 500, 10);
    expect(first?.low).toBeCloseTo(0.0424, 3);
    expect(first?.high).toBeCloseTo(0.0843, 3);
  });

  test('has a gap where a day has too few people', () => {
    const days = pointsOf([
      [100, 10],
      [40, 4],
      [100, 5],
      [100, 5],
      [100, 5],
    ]);
    expect(meanOfDays(days).map(({ rate }) => rate)).toEqual([null, null, 0.05]);
  });

  test('begins on the third day, and leaves out a day that is not over', () => {
    const points = pointsOf(Array.from({ length: 6 }, () => [100, 6] as const));
    const running = points.map((point, at) => (at === 5 ? { ...point, partial: true } : point));
    expect(courseOf(running, { unit: 'day', timezone: 'UTC' })).toMatchObject({
      days: ['2026-11-03', '2026-11-04', '2026-11-05'],
      mean: 3,
      isLastPartial: false,
    });
    const short = courseOf(points.slice(0, 3), { unit: 'day', timezone: 'UTC' });
    expect([short.days.length, short.mean]).toEqual([3, 1]);
  });

  test('begins where people do', () => {
    const empty = [0, 0] as const;
    const points = pointsOf([empty, empty, [60, 6], empty]);
    expect(sinceFirst(points).map(({ people }) => people)).toEqual([60, 0]);
    expect(sinceFirst(pointsOf([empty])).length).toBe(1);
  });

  test('is by day only where most days have enough people', () => {
    const enough = [100, 5] as const;
    const few = [30, 2] as const;
    expect(isByDay(pointsOf([enough, enough, enough, enough, few]))).toBe(true);
    expect(isByDay(pointsOf([enough, enough, few]))).toBe(false);
    expect(isByDay([])).toBe(false);
  });
});

describe('versions beside the course', () => {
  const version = (day: string, version: string) => ({
    ...{ key: day, kind: 'version' as const, day, label: version, version },
  });
  const marks = [
    version('2026-11-07', '2.4.0'),
    { key: 'note', kind: 'note' as const, day: '2026-11-09', label: 'Complaints' },
    version('2026-11-14', '2.4.1'),
  ];
  const group = (value: string) => ({
    ...{ value, name: value, slot: 1 as const },
    figures: {
      ...{ people: 0, verdict: 'ready' as const, steps: [] },
      overall: { rate: null, rateLow: null, rateHigh: null, medianSeconds: null },
    },
  });
  const fall = {
    ...{ group: group('2.4.0'), step: 3, isCertain: true, isWhereMostStop: true },
    later: { group: group('2.4.1'), isCertain: true },
  };

  test('are toned where it is certain, and their days shaded until the next', () => {
    const drawn = versionMarks(marks, fall);
    expect(drawn.map(({ label, tone }) => [label, tone])).toEqual([
      ['2.4.0', 'warn'],
      ['2.4.1', 'good'],
    ]);
    expect(badDays(drawn, '2026-11-22')).toEqual([
      { from: '2026-11-07', to: '2026-11-14', tone: 'warn' },
    ]);
  });

  test('have no tone where it may be chance', () => {
    const drawn = versionMarks(marks, { ...fall, isCertain: false });
    expect(drawn.map(({ tone }) => tone)).toEqual([undefined, undefined]);
    expect(badDays(drawn, '2026-11-22')).toEqual([]);
  });
});

describe('the address of a funnel', () => {
  test('names who is listed', () => {
    const entered = { from: '2026-11-09', to: '2026-11-11' };
    const listed = { step: 4, kind: 'stopped' as const, of: '2.4.0', entered };
    const parameters = listedParameters(listed);
    expect(parameters).toEqual({
      ...{ behind: undefined, step: '4', list: undefined },
      ...{ of: '2.4.0', entered: '2026-11-09..2026-11-11' },
    });
    expect(listedOf(parameters)).toEqual(listed);
    expect(listedOf({ step: '0' })).toBeUndefined();
    expect(listedOf({ step: '2', entered: '2026-11-31..2026-12-01' })?.entered).toBeUndefined();
  });
});

test('a step moves by one place', () => {
  const step = (key: number) => ({ key, event: `event_${key}`, label: '', where: undefined });
  const keys = (from: number, by: 1 | -1) =>
    moved([step(1), step(2), step(3)], from, by).map(({ key }) => key);
  expect([keys(2, -1), keys(0, 1)]).toEqual([
    [1, 3, 2],
    [2, 1, 3],
  ]);
});
