import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FunnelStep } from '../../../src/modules/funnels/model.ts';
import { groupFigures } from '../../../src/modules/funnels/rules/figures.ts';
import { judge, judgeSteps } from '../../../src/modules/funnels/rules/verdict.ts';
import { median, rate, wilson } from '../../../src/query/funnel/statistics.ts';
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

  test('after a step that nobody reached have no rate', () => {
    const { steps } = groupFigures(STEPS, tally(Array(60).fill(1)));
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
