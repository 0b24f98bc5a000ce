import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FunnelStep } from '../../../src/modules/funnels/model.ts';
import { compareWindows } from '../../../src/shared/statistics/compare-windows.ts';
import { groupFigures } from '../../../src/modules/questions/funnel/present.ts';
import { judge, judgeSteps } from '../../../src/shared/statistics/verdict.ts';
import { differenceOfRates, rate, wilson } from '../../../src/shared/statistics/rates.ts';
import { median } from '../../../src/shared/statistics/median.ts';
import { Tally } from '../../../src/query/funnel/tally.ts';

describe('Wilson intervals', () => {
  // Newcombe (1998), table I, method 3, and the closed form for the ends.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [29, 29, 0.883, 1],
  ])('%p of %p', (successes, trials, low, high) => {
    const interval = wilson(successes, trials);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test('hold the rate, stay within 0 and 1, and need a trial', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (a, b) => {
        const [successes, trials] = a < b ? [a, b] : [b, a];
        const interval = wilson(successes, trials);
        if (trials === 0) return expect(interval).toBeNull();
        const { low, high } = interval!;
        expect([low === 0, high === 1]).toEqual([successes === 0, successes === trials]);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(successes / trials);
        expect(high).toBeGreaterThanOrEqual(successes / trials);
      }),
    );
    expect(rate(0, 0)).toBeNull();
    expect(rate(1, 4)).toBe(0.25);
  });
});

describe('the interval of a difference', () => {
  // Newcombe (1998), Statistics in Medicine 17:873, table II, method 10.
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of %p of %p and %p of %p', (a, m, b, n, low, high) => {
    const one = differenceOfRates({ part: a, whole: m }, { part: b, whole: n });
    expect(one.difference).toBeCloseTo(a / m - b / n, 12);
    expect(one.low).toBeCloseTo(low, 4);
    expect(one.high).toBeCloseTo(high, 4);
  });

  test('holds the difference, stays within -1 and 1, and turns round with its sides', () => {
    const share = fc
      .tuple(fc.nat(500), fc.integer({ min: 1, max: 500 }))
      .map(([part, whole]) => ({ part: Math.min(part, whole), whole }));
    fc.assert(
      fc.property(share, share, (one, other) => {
        const { difference, low, high } = differenceOfRates(one, other);
        expect(low).toBeLessThanOrEqual(difference);
        expect(high).toBeGreaterThanOrEqual(difference);
        expect(low).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(high).toBeLessThanOrEqual(1 + 1e-12);
        const turned = differenceOfRates(other, one);
        expect(turned.low).toBeCloseTo(-high, 12);
        expect(turned.high).toBeCloseTo(-low, 12);
      }),
    );
  });
});

describe('two windows of a funnel', () => {
  test('are compared step by step, from the step before and from the start', () => {
    const { people, verdict, steps } = compareWindows([100, 60, 30], [200, 100, 20]);
    expect({ people, verdict }).toEqual({ people: 200, verdict: 'ready' });
    expect(steps[0]).toEqual({ index: 1, people: 200, fromPrevious: null, fromStart: null });
    expect(steps[2]).toEqual({
      index: 3,
      people: 20,
      fromPrevious: {
        now: 0.5,
        before: 0.2,
        ...differenceOfRates({ part: 30, whole: 60 }, { part: 20, whole: 100 }),
      },
      fromStart: {
        now: 0.3,
        before: 0.1,
        ...differenceOfRates({ part: 30, whole: 100 }, { part: 20, whole: 200 }),
      },
    });
    expect(steps[1]?.fromPrevious).toEqual(steps[1]?.fromStart ?? null);
  });

  test('are not compared with fewer than fifty people in step 1 of either', () => {
    const nothing = (people: number | null, index: number) => ({
      index,
      people,
      fromPrevious: null,
      fromStart: null,
    });
    for (const [now, before, verdict] of [
      [[49, 9], [50, 9], 'ready'],
      [[50, 9], [49, 9], 'too_few_people'],
      [[50, 9], [0, 0], 'no_data'],
    ] as const) {
      expect(compareWindows(now, before)).toEqual({
        people: before[0],
        verdict,
        steps: [nothing(null, 1), nothing(null, 2)],
      });
    }
    expect(compareWindows([50, 9], [50, 9]).steps[1]?.fromStart?.difference).toBe(0);
  });

  test('have no difference after a step that fewer than fifty reached in either', () => {
    const later = (now: number, before: number) =>
      compareWindows([90, now, 10], [90, before, 10]).steps[2];
    for (const few of [later(49, 50), later(50, 49)]) {
      expect(few?.fromPrevious).toMatchObject({ difference: null, low: null, high: null });
      expect(few?.fromPrevious?.now).toBeGreaterThan(0);
      expect(few?.fromStart?.difference).toBe(0);
    }
    expect(later(50, 50)?.fromPrevious?.difference).toBe(0);
    expect(compareWindows([90, 0, 0], [90, 0, 0]).steps[2]?.fromPrevious).toEqual({
      now: null,
      before: null,
      difference: null,
      low: null,
      high: null,
    });
  });
});

describe('the median', () => {
  test('lies between the two middle values', () => {
    expect(median(Float64Array.of())).toBeNull();
    expect(median(Float64Array.of(3))).toBe(3);
    expect(median(Float64Array.of(9, 1))).toBe(5);
    expect(median(Float64Array.of(5, 1, 2, 100))).toBe(3.5);
  });

  test('is that of the sorted values, whatever their order', () => {
    const values = fc.array(fc.integer({ min: -5, max: 50 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (given) => {
        const sorted = given.toSorted((a, b) => a - b);
        const middle = (sorted.length - 1) / 2;
        const expected = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
        expect(median(Float64Array.from(given))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of many equal or sorted values takes no longer than that of others', () => {
    expect(median(new Float64Array(500_000).fill(7))).toBe(7);
    expect(median(Float64Array.from({ length: 500_001 }, (_, i) => i))).toBe(250_000);
  });
});

describe('the refusal', () => {
  test('begins below fifty people', () => {
    expect([0, 1, 49, 50, 1_000_000].map(judge)).toEqual([
      'no_data',
      'too_few_people',
      'too_few_people',
      'ready',
      'ready',
    ]);
  });
});

describe('verdicts of steps', () => {
  test.each([
    [
      [100, 90, 80],
      ['entry', 'biggest_leak', 'healthy'],
    ],
    [
      [1_000, 900, 300, 100],
      ['entry', 'healthy', 'biggest_leak', 'leak'],
    ],
    [
      [100, 50, 10],
      ['entry', 'biggest_leak', 'leak'],
    ],
    [
      [100, 60, 27],
      ['entry', 'biggest_leak', 'healthy'],
    ],
    [
      [100, 99, 99],
      ['entry', 'biggest_leak', 'healthy'],
    ],
    [
      [100, 80, 60],
      ['entry', 'biggest_leak', 'healthy'],
    ],
    [
      [100, 90, 70],
      ['entry', 'healthy', 'biggest_leak'],
    ],
    [
      [100, 100, 100],
      ['entry', 'healthy', 'healthy'],
    ],
    [
      [100, 50, 0],
      ['entry', 'biggest_leak', 'leak'],
    ],
    [
      [100, 0, 0],
      ['entry', 'biggest_leak', null],
    ],
  ])('%j are %j', (people, verdicts) => {
    expect(judgeSteps(people)).toEqual(verdicts as ReturnType<typeof judgeSteps>);
  });
});

test('a step is a leak only where the interval ends below one half', () => {
  // Of 10,000 people 4,902 have their upper end just below a half, and 4,903 just above.
  expect(judgeSteps([100_000, 10_000, 4_902]).at(-1)).toBe('leak');
  expect(judgeSteps([100_000, 10_000, 4_903]).at(-1)).toBe('healthy');
});

test('who never entered is counted in no step', () => {
  const tally = new Tally(2);
  for (const depth of [0, 0, 1, 2]) tally.add(depth, Float64Array.of(0, 1));
  expect(tally.figures().people).toEqual([2, 1]);
});

test('medians are of the time from the step before, and from the start', () => {
  const tally = new Tally(3);
  // Step 2 after 1 to 41 seconds, step 3 twice as long after it; each starts at another time.
  for (let person = 1; person <= 41; person += 1) {
    const start = person * 1_000_000_000;
    const second = start + person * 1_000_000;
    tally.add(3, Float64Array.of(start, second, second + person * 2_000_000));
  }
  expect(tally.figures()).toEqual({
    people: [41, 41, 41],
    medianSecondsFromPrevious: [null, 21, 42],
    medianSecondsFromStart: [null, 21, 63],
  });
});

const STEPS: FunnelStep[] = ['a', 'b', 'c'].map((event) => ({ event, label: event }));

describe('figures of a group', () => {
  const tally = (depths: number[]) => {
    const made = new Tally(STEPS.length);
    const second = 1_000_000;
    for (const [index, depth] of depths.entries()) {
      made.add(depth, Float64Array.of(0, second * (index + 1), 2 * second * (index + 1)));
    }
    return made.figures();
  };

  test('below fifty people are all withheld, the number of people is not', () => {
    const { people, verdict, steps, overall } = groupFigures(STEPS, tally(Array(49).fill(3)));
    expect([people, verdict]).toEqual([49, 'too_few_people']);
    expect(steps.map((step) => [step.index, step.event, step.label, step.where])).toEqual([
      [1, 'a', 'a', null],
      [2, 'b', 'b', null],
      [3, 'c', 'c', null],
    ]);
    for (const { index, event, label, where, ...figures } of steps) {
      expect(new Set(Object.values(figures))).toEqual(new Set([null]));
    }
    expect(new Set(Object.values(overall))).toEqual(new Set([null]));
  });

  test('add up, and never leak more than they show', () => {
    const depths = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 50, maxLength: 200 });
    fc.assert(
      fc.property(depths, (given) => {
        const { people, steps, overall } = groupFigures(STEPS, tally(given));
        expect(people).toBe(given.length);
        for (const [index, step] of steps.entries()) {
          const reached = given.filter((depth) => depth > index).length;
          expect(step.people).toBe(reached);
          expect(step.rateFromStart).toBe(reached / people);
          if (index > 0) expect(step.dropped).toBe(steps[index - 1]!.people! - reached);
        }
        expect(overall.rate).toBe(steps.at(-1)!.rateFromStart);
        const interval = wilson(steps.at(-1)!.people!, people)!;
        expect([overall.rateLow, overall.rateHigh]).toEqual([interval.low, interval.high]);
        expect(overall.medianSeconds).toBe(steps.at(-1)!.medianSecondsFromStart);
      }),
    );
  });

  test('say which property a step asks for', () => {
    const where = { prop: 'plan', equals: 'pro' };
    const asked = [{ ...STEPS[0]!, where }, ...STEPS.slice(1)];
    const { steps } = groupFigures(asked, tally(Array(50).fill(1)));
    expect(steps.map((step) => step.where)).toEqual([where, null, null]);
  });

  test('after a step that nobody reached have no rate', () => {
    const { steps } = groupFigures(STEPS, tally(Array(60).fill(1)));
    expect(steps[0]).toMatchObject({ rateFromPrevious: null, dropped: 0, verdict: 'entry' });
    expect(steps[1]).toMatchObject({ people: 0, rateFromPrevious: 0, dropped: 60 });
    expect(steps[2]).toMatchObject({
      people: 0,
      rateFromPrevious: null,
      rateFromPreviousLow: null,
      medianSecondsFromPrevious: null,
      rateFromStart: 0,
      dropped: 0,
      verdict: null,
    });
  });
});
