import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toAccounted, toCohorts, toPooled } from '../../../src/modules/purchases/cohorts/answer.ts';
import { Ledger } from '../../../src/modules/purchases/cohorts/ledger.ts';
import { meanInterval } from '../../../src/modules/purchases/cohorts/mean-interval.ts';
import { ANCHORS, type Anchor } from '../../../src/modules/purchases/cohorts/model.ts';
import { placePeople, type Seen } from '../../../src/modules/purchases/cohorts/place.ts';
import {
  type Life,
  survivalAt,
  survivalCurve,
} from '../../../src/modules/purchases/cohorts/survival.ts';
import { countLedger } from '../../../src/modules/purchases/cohorts/tally.ts';
import { resolveCohortWindow } from '../../../src/modules/purchases/cohorts/window.ts';
import { foldChain } from '../../../src/modules/purchases/overview/fold.ts';
import type { ChainHistory } from '../../../src/modules/purchases/overview/history.ts';
import { packFold } from '../../../src/modules/purchases/overview/pack.ts';
import { FoldTexts } from '../../../src/modules/purchases/overview/read-folds.ts';
import { createAmounts } from '../../../src/modules/purchases/revenue/amounts.ts';
import { createRateTable } from '../../../src/modules/sales/rates/rate-table.ts';
import { NOT_SEEN } from '../../../src/query/cohorts/model.ts';
import { type Interval, recountedCohorts } from '../../support/plain-cohorts.ts';
import { histories, RATES } from '../../support/plain-revenue.ts';
import { DAY, FIRST } from '../../support/subscription-histories.ts';

const texts = new FoldTexts();
const RUNS = process.env.TEST_FULL ? 2_000 : 100;
const table = createRateTable(RATES);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const amounts = createAmounts((currency, ms) => table.converter(currency, 'USD', iso(ms)));

type Owned = { name: string | null; history: ChainHistory };
type Asked = {
  by: Anchor;
  interval: Interval;
  from: number;
  length: number;
  ago: number;
  timezone: string;
  seen: (number | null)[];
  strangers: number[];
  owners: (number | null)[];
  isByProduct: boolean;
};

const asked: fc.Arbitrary<Asked> = fc.record({
  by: fc.constantFrom(...ANCHORS),
  interval: fc.constantFrom('week', 'month', 'month'),
  from: fc.integer({ min: 0, max: 200 }),
  length: fc.integer({ min: 1, max: 120 }),
  ago: fc.integer({ min: 0, max: 150 * 24 }),
  timezone: fc.constantFrom('UTC', 'America/Los_Angeles', 'Pacific/Auckland'),
  // When the people of purchases were first seen, and whom only events know.
  seen: fc.array(fc.option(fc.integer({ min: -400, max: 300 * 24 })), {
    minLength: 8,
    maxLength: 8,
  }),
  strangers: fc.array(fc.integer({ min: 0, max: 300 * 24 }), { maxLength: 120 }),
  owners: fc.array(fc.option(fc.integer({ min: 0, max: 7 }), { freq: 5 }), {
    minLength: 20,
    maxLength: 20,
  }),
  isByProduct: fc.boolean(),
});

function prepared(all: readonly ChainHistory[], given: Asked) {
  const owned: Owned[] = all.map((history, index) => {
    const owner = given.owners[index] ?? null;
    return { name: owner === null ? null : `p${owner}`, history };
  });
  const from = iso(FIRST + given.from * DAY);
  const toDay = given.from + given.length;
  const now = FIRST + toDay * DAY + given.ago * 3_600_000;
  const to = iso(FIRST + Math.max(given.from, toDay - 2) * DAY);
  const window = resolveCohortWindow(
    { from, to, interval: given.interval },
    given.timezone,
    new Date(now),
  );
  return { owned, window, from, to, now };
}

const seenAt = (hours: number | null) => (hours === null ? null : FIRST + hours * 3_600_000);

function counted(all: readonly ChainHistory[], given: Asked) {
  const { owned, window, ...rest } = prepared(all, given);
  const ledger = new Ledger(window, amounts, given.by);
  for (const [index, { history }] of owned.entries()) {
    const kept = JSON.stringify(packFold(foldChain(history)));
    ledger.addChain(texts.read(kept)!, `${index}`, null);
  }
  const buyers = owned.flatMap(({ name }, index): [string, string][] =>
    name === null ? [] : [[`${index}`, name]],
  );
  ledger.giveTo(new Map(buyers));
  const { boundariesMs } = window;
  const bucketOf = (ms: number | null): number => {
    if (ms === null || ms >= boundariesMs.at(-1)!) return NOT_SEEN;
    let bucket = -1;
    for (const bound of boundariesMs) if (ms >= bound) bucket += 1;
    return bucket;
  };
  const hoursOf = (name: string) => given.seen[Number(name.slice(1))] ?? null;
  const everybody = [
    ...given.seen.map(seenAt),
    ...given.strangers.map((hours) => seenAt(hours)),
  ].map(bucketOf);
  const seen: Seen = {
    intervals: ledger.people.map(({ name }) => bucketOf(seenAt(hoursOf(name)))),
    places: ledger.people.map(({ name }) => (hoursOf(name) === null ? NOT_SEEN : 0)),
    values: [],
    sizes: [
      boundariesMs.slice(1).map((_, bucket) => everybody.filter((one) => one === bucket).length),
    ],
  };
  const { by, isByProduct } = given;
  const breakdown = isByProduct ? ('product' as const) : null;
  const isAsked = by === 'first_seen';
  const placing = placePeople(ledger, window, isAsked ? seen : null, { by, breakdown });
  const tally = countLedger(ledger, window, placing.placed, placing.groups?.values.length ?? 0);
  return { owned, window, ledger, placing, tally, ...rest };
}

describe('revenue by cohort', () => {
  test('is what plain loops over histories say', () => {
    fc.assert(
      fc.property(histories, asked, (all, given) => {
        const { owned, window, ledger, placing, tally, now, from, to } = counted(all, given);
        const plain = recountedCohorts(owned, {
          ...{ by: given.by, interval: given.interval, timezone: given.timezone, from, to, now },
          seen: Object.fromEntries(given.seen.map((hours, n) => [`p${n}`, seenAt(hours)])),
          strangers: given.strangers.map((hours) => seenAt(hours)!),
        });
        const cohorts = toCohorts(tally.total, placing.sizes, window);
        expect(cohorts.map(({ from: start, people }) => [start, people])).toEqual(
          plain.cohorts.map(({ start, people }) => [start, people]),
        );
        for (const [index, cohort] of cohorts.entries()) {
          const wanted = plain.cohorts[index]!;
          expect(tally.total.net[index]).toBe(wanted.net);
          expect(cohort.netMinor).toBe(wanted.people < 50 ? null : wanted.net);
          expect(cohort.periods.map((cell) => cell && counts(cell))).toEqual(
            wanted.periods.map((cell) => cell && counts(cell)),
          );
          for (const [period, cell] of cohort.periods.entries()) {
            const plainCell = wanted.periods[period];
            if (!cell || !plainCell) continue;
            const isFew = wanted.people < 50;
            expect(cell.netMinor).toBe(isFew ? null : plainCell.net);
            expect(cell.perPersonMinor).toBe(isFew ? null : plainCell.net / wanted.people);
            expect(cell.payingShare).toBe(isFew ? null : plainCell.payers / wanted.people);
          }
        }
        const money = toAccounted(tally, ledger);
        expect(money).toMatchObject(plain.money);
        const { cohortsMinor, earlierMinor, laterMinor, beforeMinor, neverMinor, nobody } = money;
        expect(
          cohortsMinor + earlierMinor + laterMinor + beforeMinor + neverMinor + nobody.netMinor,
        ).toBe(money.totalMinor);
        const pooled = toPooled(tally.total, placing.sizes, window);
        expect(pooled.people).toBe(plain.cohorts.reduce((sum, { people }) => sum + people, 0));
        expect(tally.lives.map(({ days, ended }) => [days, ended]).sort()).toEqual(
          plain.lives.map(({ days, ended }) => [days, ended]).sort(),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test('is the sum of its groups, people and money alike', () => {
    fc.assert(
      fc.property(histories, asked, (all, given) => {
        const { placing, tally } = counted(all, { ...given, isByProduct: true });
        const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
        for (const [cohort, people] of placing.sizes.entries()) {
          expect(sum(placing.groups!.sizes.map((sizes) => sizes[cohort]!))).toBe(people);
        }
        for (const [cell, total] of tally.total.sum.entries()) {
          expect(sum(tally.groups.map((group) => group.sum[cell]!))).toBe(total);
        }
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });
});

const counts = ({ payers, subscriptions: { begun, active } }: Counts) => ({
  payers,
  begun,
  active,
});
type Counts = { payers: number; subscriptions: { begun: number; active: number } };

/** Independent of the code: everybody followed to each day, one by one. */
function plainSurvival(lives: readonly Life[], day: number): number {
  let survival = 1;
  for (let t = 0; t <= day; t += 1) {
    let atRisk = 0;
    let ended = 0;
    for (const life of lives) {
      if (life.days >= t) atRisk += 1;
      if (life.days === t && life.ended) ended += 1;
    }
    if (atRisk > 0) survival *= (atRisk - ended) / atRisk;
  }
  return survival;
}

describe('the survival of subscriptions', () => {
  const lives = fc.array(
    fc.record({
      beganMs: fc.constant(0),
      days: fc.integer({ min: 0, max: 90 }),
      ended: fc.boolean(),
    }),
    { minLength: 1, maxLength: 120 },
  );

  test('is that of plain loops, within its interval, and never grows', () => {
    fc.assert(
      fc.property(lives, (all) => {
        const points = survivalAt(all, [0, 7, 14, 30, 60, 90]);
        let before = 1;
        for (const { days, survival, low, high } of points) {
          expect(survival).toBeCloseTo(plainSurvival(all, days), 10);
          expect(low).toBeLessThanOrEqual(survival);
          expect(high).toBeGreaterThanOrEqual(survival);
          expect(survival).toBeLessThanOrEqual(before);
          before = survival;
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('and its interval are those of lifelines 0.30.3', () => {
    const days = [3, 7, 7, 12, 14, 20, 30, 30, 31, 45, 60, 61, 75, 90, 90];
    const running = new Set([2, 4, 7, 9, 11, 13, 14]);
    const all = days.map((lasted, n) => ({ beganMs: 0, days: lasted, ended: !running.has(n) }));
    const expected = [
      [7, 0.8666666667, 0.5639120057, 0.9648844959],
      [30, 0.6355555556, 0.3298250073, 0.8309244135],
      [60, 0.4358095238, 0.1557570646, 0.6900608352],
      [80, 0.2905396825, 0.0564384651, 0.587747025],
    ];
    const round = (value: number) => Number(value.toFixed(10));
    const found = survivalAt(all, [7, 30, 60, 80]);
    expect(
      found.map(({ days: day, survival, low, high }) => [day, ...[survival, low, high].map(round)]),
    ).toEqual(expected);
  });

  test('is null where fewer than fifty are at risk', () => {
    const of = (days: number, count: number): Life[] =>
      Array.from({ length: count }, () => ({ beganMs: 0, days, ended: true }));
    const curve = survivalCurve([...of(10, 40), ...of(100, 60)], 30);
    expect(curve.map(({ days, atRisk, survival }) => [days, atRisk, survival])).toEqual([
      [0, 100, 1],
      [30, 60, 0.6],
      [60, 60, 0.6],
      [90, 60, 0.6],
    ]);
    expect(survivalCurve(of(100, 49), 30).every(({ survival }) => survival === null)).toBe(true);
    expect(survivalCurve([], 30)).toEqual([]);
  });
});

test('the interval of a mean is moved by its skewness', () => {
  const moments = (values: number[]) => ({
    people: values.length,
    sum: values.reduce((a, b) => a + b, 0),
    squares: values.reduce((a, b) => a + b * b, 0),
    cubes: values.reduce((a, b) => a + b ** 3, 0),
  });
  const even = meanInterval(moments([1, 2, 3, 4, 5]))!;
  expect((even.low + even.high) / 2).toBeCloseTo(3, 12);
  expect(even.high - even.low).toBeCloseTo(2 * 1.959964 * Math.sqrt(2.5 / 5), 5);
  const skewed = meanInterval(moments([0, 0, 0, 0, 10]))!;
  // μ₃ = 96, s² = 20: moved by 96 ÷ (6 × 20 × 5).
  expect((skewed.low + skewed.high) / 2).toBeCloseTo(2.16, 12);
  expect(meanInterval(moments([7, 7, 7]))).toBeNull();
});
