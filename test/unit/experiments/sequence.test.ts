import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  intervalAlpha,
  difference,
  expectedConversions,
  halfWidth,
  MINIMUM_CONVERSIONS,
  meanEstimate,
  peopleUntil,
  rateEstimate,
} from '../../../src/modules/experiments/comparison/sequence.ts';
import { type Draw, drawsFrom } from '../../support/draws.ts';
import { isFullRun } from '../../support/random.ts';

/** Simulated experiments; the full count of the claim takes half a minute. */
const EXPERIMENTS = isFullRun ? 10_000 : 1_000;
const DAYS = 60;

type Plan = { arms: number; metrics: number; perDay: number; rate: number; lift?: number };
type Result = { winners: number; right: number; missed: number };

/** Looks at the experiment on every day from the seventh on, and stops at the first winner. */
function simulate({ arms, metrics, perDay, rate, lift = 0 }: Plan, draw: Draw): Result {
  const alpha = intervalAlpha({ arms, metrics });
  const result = { winners: 0, right: 0, missed: 0 };
  for (let experiment = 0; experiment < EXPERIMENTS; experiment += 1) {
    const did = Array.from({ length: metrics }, () => new Array<number>(arms).fill(0));
    let winner: 'none' | 'right' | 'wrong' = 'none';
    let isMissed = false;
    for (let day = 1; day <= DAYS; day += 1) {
      const people = day * perDay;
      for (const counts of did) {
        for (let arm = 0; arm < arms; arm += 1) {
          counts[arm]! += draw.successes(perDay, arm === 0 ? rate : rate * (1 + lift));
        }
      }
      if (day < 7 || people < 50) continue;
      for (const counts of did) {
        const control = rateEstimate(counts[0]!, people);
        for (let arm = 1; arm < arms; arm += 1) {
          const { low, high } = difference(control, rateEstimate(counts[arm]!, people), alpha);
          if (low > rate * lift || high < rate * lift) isMissed = true;
          if (winner === 'none' && low > 0) winner = lift > 0 ? 'right' : 'wrong';
          if (winner === 'none' && high < 0) winner = 'wrong';
        }
      }
    }
    if (winner !== 'none') result.winners += 1;
    if (winner === 'right') result.right += 1;
    if (isMissed) result.missed += 1;
  }
  return result;
}

/** Five percent of the experiments, and what chance adds to that in so few (four deviations). */
const MOST = 0.05 * EXPERIMENTS + (isFullRun ? 0 : 4 * Math.sqrt(0.0475 * EXPERIMENTS));

describe('experiments without a difference, looked at daily, give at most 5 % false winners', () => {
  test.each([
    ['two arms', { arms: 2, metrics: 1, perDay: 100, rate: 0.1 }],
    ['two arms of an app with much traffic', { arms: 2, metrics: 1, perDay: 1_000, rate: 0.3 }],
    ['six arms and three metrics', { arms: 6, metrics: 3, perDay: 100, rate: 0.1 }],
    ['50 people and 1 % conversion', { arms: 2, metrics: 1, perDay: 1, rate: 0.01 }],
    ['50 people a day and 1 % conversion', { arms: 2, metrics: 1, perDay: 50, rate: 0.01 }],
    ['50 people and 99 % conversion', { arms: 2, metrics: 1, perDay: 1, rate: 0.99 }],
    ['six arms and three metrics at 1 %', { arms: 6, metrics: 3, perDay: 5, rate: 0.01 }],
  ])(
    '%s',
    (_, plan) => {
      const { winners, missed } = simulate(plan, drawsFrom(2026));
      expect(winners).toBeLessThanOrEqual(MOST);
      // The interval covers the true difference at every look.
      expect(missed).toBeLessThanOrEqual(MOST);
      if (isFullRun) console.log(`${JSON.stringify(plan)}: ${winners}, ${missed} missed`);
    },
    1_200_000,
  );

  test('also of an amount that few people pay and that varies a hundredfold', () => {
    const draw = drawsFrom(7);
    const alpha = intervalAlpha({ arms: 2, metrics: 1 });
    let winners = 0;
    for (let experiment = 0; experiment < EXPERIMENTS; experiment += 1) {
      const sums = [0, 0];
      const squares = [0, 0];
      let isWon = false;
      for (let day = 1; day <= 30 && !isWon; day += 1) {
        for (const arm of [0, 1]) {
          const payers = draw.successes(100, 0.03);
          for (let payer = 0; payer < payers; payer += 1) {
            const amount = Math.min(500, Math.exp(draw.normal() * 1.2 + 2));
            sums[arm]! += amount;
            squares[arm]! += amount ** 2;
          }
        }
        if (day < 7) continue;
        const all = {
          people: day * 200,
          sum: sums[0]! + sums[1]!,
          squares: squares[0]! + squares[1]!,
        };
        const [control, arm] = [0, 1].map((each) =>
          meanEstimate({ people: day * 100, sum: sums[each]!, squares: squares[each]! }, all),
        );
        const { low, high } = difference(control!, arm!, alpha);
        isWon = low > 0 || high < 0;
      }
      if (isWon) winners += 1;
    }
    expect(winners).toBeLessThanOrEqual(MOST);
  }, 1_200_000);
});

describe('the conversions before a verdict', () => {
  const count = (control: [number, number], arm: [number, number]) =>
    expectedConversions({ people: control[0], did: control[1] }, { people: arm[0], did: arm[1] });

  test('are those of the smaller arm at the rate of both, as docs/experiments.md counts them', () => {
    for (const inArm of [0, 19, 90]) {
      expect(count([900, 190 - inArm], [100, inArm])).toBeCloseTo(19, 10);
      expect(count([100, inArm], [900, 190 - inArm])).toBeCloseTo(19, 10);
    }
    expect(count([900, 200], [100, 0])).toBe(MINIMUM_CONVERSIONS);
  });

  test('are those who did not convert where nearly all did', () => {
    expect(count([900, 870], [100, 100])).toBeCloseTo(3, 10);
  });
});

/** As the claim is made. */
const UNEQUAL = isFullRun ? 5_000 : 300;

/** Whether an experiment with this share in the first arm has a winner at a daily look. */
function hasWinner(draw: Draw, plan: { share: number; perDay: number; rates: [number, number] }) {
  const [control, arm] = [
    { people: 0, did: 0 },
    { people: 0, did: 0 },
  ];
  const first = Math.round((plan.perDay * plan.share) / 100);
  for (let day = 1; day <= DAYS; day += 1) {
    control.people += first;
    arm.people += plan.perDay - first;
    control.did += draw.successes(first, plan.rates[0]);
    arm.did += draw.successes(plan.perDay - first, plan.rates[1]);
    if (day < 7 || Math.min(control.people, arm.people) < 50) continue;
    if (expectedConversions(control, arm) < MINIMUM_CONVERSIONS) continue;
    const { low, high } = difference(
      rateEstimate(control.did, control.people),
      rateEstimate(arm.did, arm.people),
      intervalAlpha({ arms: 2, metrics: 1 }),
    );
    if (low > 0 || high < 0) return true;
  }
  return false;
}

describe('arms of unequal weights give at most 5 % false winners too', () => {
  const cases = [
    [50, 200],
    [90, 200],
    [95, 500],
    [99, 2_000],
  ].flatMap(([share = 0, perDay = 0]) =>
    // At 0.5 % of ten times the traffic, or the smaller arm never had twenty conversions.
    [0.005, 0.02, 0.1, 0.98].map((rate) => ({
      share,
      perDay: rate < 0.01 ? 10 * perDay : perDay,
      rate,
    })),
  );
  test.each(cases)(
    '$share to the rest, $perDay a day at $rate',
    ({ share, perDay, rate }) => {
      const draw = drawsFrom(share * 1_000 + rate * 1_000);
      const plan = { share, perDay, rates: [rate, rate] as [number, number] };
      const runs = Array.from({ length: UNEQUAL }, () => hasWinner(draw, plan));
      const winners = runs.filter(Boolean).length;
      if (isFullRun) console.log(share, perDay, rate, `${(winners / UNEQUAL) * 100} %`);
      const chance = isFullRun ? 0 : 4 * Math.sqrt(0.0475 * UNEQUAL);
      expect(winners).toBeLessThanOrEqual(0.05 * UNEQUAL + chance);
    },
    1_200_000,
  );

  test('and an arm in which nobody converts any more is told', () => {
    const broken = { share: 90, perDay: 1_000, rates: [0.05, 0] as [number, number] };
    expect(hasWinner(drawsFrom(3), broken)).toBe(true);
  });
});

describe('a difference that is there is found', () => {
  test('20 % more of 10 %, within 60 days of 400 people', () => {
    const plan = { arms: 2, metrics: 1, perDay: 200, rate: 0.1, lift: 0.2 };
    const { right, winners, missed } = simulate(plan, drawsFrom(11));
    expect(right).toBeGreaterThan(0.8 * EXPERIMENTS);
    expect(winners - right).toBeLessThanOrEqual(0.01 * EXPERIMENTS);
    expect(missed).toBeLessThanOrEqual(MOST);
  }, 1_200_000);
});

describe('the interval', () => {
  const estimate = fc
    .record({
      people: fc.integer({ min: 50, max: 100_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ people, share }) => rateEstimate(Math.round(people * share), people));

  test('contains the difference, is the same from either side, and narrows with α', () => {
    fc.assert(
      fc.property(estimate, estimate, (a, b) => {
        const there = difference(a, b, 0.05);
        const back = difference(b, a, 0.05);
        expect(there.low).toBeLessThan(there.difference);
        expect(there.high).toBeGreaterThan(there.difference);
        expect(back.low).toBeCloseTo(-there.high, 12);
        expect(difference(a, b, 0.01).low).toBeLessThan(there.low);
      }),
    );
  });

  test('is as wide as the formula of GrowthBook, by hand', () => {
    // ρ² = (−2 ln 0.05 + ln(−2 ln 0.05 + 1)) / 5000; √(2 (Nρ² + 1) / (Nρ)² · ln(√(Nρ² + 1) / 0.05)).
    expect(halfWidth(1 / 5_000, 5_000, 0.05)).toBeCloseTo(0.042_9, 3);
  });

  test('needs as many people as it takes until it is that narrow', () => {
    fc.assert(
      fc.property(
        estimate,
        estimate,
        fc.double({ min: 0.005, max: 0.5, noNaN: true }),
        (a, b, target) => {
          const people = peopleUntil(a, b, 0.05, target)!;
          const perPerson = (a.variance + b.variance) * (a.people + b.people);
          expect(halfWidth(perPerson / people, people, 0.05)).toBeLessThanOrEqual(target);
          if (people > 1) {
            expect(halfWidth(perPerson / (people - 1), people - 1, 0.05)).toBeGreaterThan(target);
          }
        },
      ),
    );
  });

  test('never narrows to a target of nothing', () => {
    expect(peopleUntil(rateEstimate(5, 100), rateEstimate(5, 100), 0.05, 0)).toBeNull();
  });
});
