import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cohortFigures } from '../../../src/modules/questions/retention/present.ts';
import { rateWithInterval } from '../../../src/shared/statistics/rates.ts';

const RUNS = process.env.TEST_FULL ? 5_000 : 200;
const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 2, 2);
const days = (count: number) => FIRST + count * DAY;
const NOTHING = { rate: null, rateLow: null, rateHigh: null };

/** Four cohorts of a day each, and the fifth day. */
const boundariesMs = [0, 1, 2, 3, 4, 5].map(days);
const of = (
  cohorts: [size: number, ...returned: number[]][],
  nowMs: number,
  { periodUs = null, people = 1_000 }: { periodUs?: number | null; people?: number } = {},
) =>
  cohortFigures(
    { boundariesMs, nowMs, question: { periodUs } },
    { people, cohorts: cohorts.map(([size, ...returned]) => ({ size, returned })) },
    Math.max(...cohorts.map((cohort) => cohort.length - 1)),
  );
const shown = (cells: ({ returned: number | null } | null)[]) =>
  cells.map((cell) => (cell === null ? null : cell.returned));

describe('a period of calendar days', () => {
  const all = [
    [60, 30, 20, 10],
    [60, 30, 20, 10],
    [60, 30, 20, 10],
  ] as [number, ...number[]][];

  test('is null until it is over for everybody of the cohort, never 0', () => {
    const { cohorts, mean } = of(all, days(4) - 1);
    expect(cohorts.map(({ periods }) => shown(periods))).toEqual([
      [30, 20, null],
      [30, null, null],
      [null, null, null],
    ]);
    expect(shown(mean)).toEqual([60, 20, null]);
    // At its very end it is over.
    expect(of(all, days(4)).cohorts.map(({ periods }) => shown(periods))).toEqual([
      [30, 20, 10],
      [30, 20, null],
      [30, null, null],
    ]);
    // No interval is known after the present one.
    expect(shown(of(all, days(30)).cohorts[2]!.periods)).toEqual([30, 20, null]);
  });

  test('belongs to a cohort that may itself not be over', () => {
    const { cohorts } = of(all, days(2) + 5);
    expect(cohorts.map(({ from, partial }) => [from, partial])).toEqual([
      ['2026-03-02T00:00:00.000Z', undefined],
      ['2026-03-03T00:00:00.000Z', undefined],
      ['2026-03-04T00:00:00.000Z', true],
    ]);
    expect(of(all, days(3)).cohorts[2]!.partial).toBeUndefined();
  });
});

test('a period of hours is over when it is for the last who began', () => {
  const periodUs = DAY * 1_000;
  const all = [[60, 30, 20]] as [number, ...number[]][];
  const at = (nowMs: number) => shown(of(all, nowMs, { periodUs }).cohorts[0]!.periods);
  // Who began at the end of the first day has had one whole day after that by the end of the third.
  expect(at(days(3) - 1)).toEqual([null, null]);
  expect(at(days(3))).toEqual([30, null]);
  expect(at(days(4) - 1)).toEqual([30, null]);
  expect(at(days(4))).toEqual([30, 20]);
});

describe('fifty people', () => {
  const now = days(5);
  test('are needed of a cohort for its rate, not for its counts', () => {
    const { cohorts } = of(
      [
        [49, 20],
        [50, 20],
        [0, 0],
      ],
      now,
    );
    expect(cohorts.map(({ periods, people, verdict }) => [people, verdict, periods[0]])).toEqual([
      [49, 'too_few_people', { returned: 20, ...NOTHING }],
      [50, 'ready', { returned: 20, ...rateWithInterval(20, 50) }],
      [0, 'no_data', { returned: 0, ...NOTHING }],
    ]);
  });

  test('are needed of the mean, which has its own', () => {
    const small = [
      [20, 5],
      [29, 6],
    ] as [number, ...number[]][];
    expect(of(small, now).mean).toEqual([{ returned: 11, ...NOTHING }]);
    expect(of([...small, [1, 1]], now).mean).toEqual([
      { returned: 12, ...rateWithInterval(12, 50) },
    ]);
  });

  test('are needed of the total for any of it', () => {
    const all = [[60, 30]] as [number, ...number[]][];
    const none = { returned: null, ...NOTHING };
    const refused = of(all, now, { people: 49 });
    expect([refused.cohorts[0]!.periods, refused.mean]).toEqual([[none], [none]]);
    expect(refused.cohorts[0]!.people).toBe(60);
    expect(of(all, now, { people: 50 }).mean).toEqual([
      { returned: 30, ...rateWithInterval(30, 60) },
    ]);
  });
});

test('the mean of a column is Σ returned ÷ Σ size over the cohorts that finished it', () => {
  const cohort = fc
    .tuple(fc.nat(300), fc.array(fc.nat(300), { minLength: 4, maxLength: 4 }))
    .map(([size, returned]) => ({ size, returned: returned.map((one) => Math.min(one, size)) }));
  const cohorts = fc.array(cohort, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(cohorts, fc.integer({ min: 1, max: 5 }), fc.nat(1_000), (all, day, people) => {
      const rows = all.map(({ size, returned }) => [size, ...returned] as [number, ...number[]]);
      const { mean } = of(rows, days(day), { people });
      for (let period = 1; period <= 4; period += 1) {
        let [returned, size, any] = [0, 0, false];
        for (const [index, one] of all.entries()) {
          // The interval of this period ends with the day after it.
          if (index + period + 1 > day) continue;
          any = true;
          size += one.size;
          returned += one.returned[period - 1]!;
        }
        const rates = size < 50 ? NOTHING : rateWithInterval(returned, size);
        const cell = people < 50 ? { returned: null, ...NOTHING } : { returned, ...rates };
        expect(mean[period - 1]).toEqual(any ? cell : null);
      }
    }),
    { numRuns: RUNS },
  );
});
