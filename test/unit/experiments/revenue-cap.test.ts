import { describe, expect, test } from 'bun:test';
import {
  difference,
  expectedConversions,
  intervalAlpha,
  MINIMUM_CONVERSIONS,
  meanEstimate,
  type Sums,
} from '../../../src/modules/experiments/comparison/sequence.ts';
import { type Draw, drawsFrom } from '../../support/draws.ts';
import { isFullRun } from '../../support/random.ts';

const PERCENTILES = [99.9, 99, 95] as const;
type Percentile = (typeof PERCENTILES)[number];

/** What those who pay pay, of which few pay most. */
const AMOUNTS = {
  'log-normal, σ 1.5': (draw: Draw) => Math.exp(2 + 1.5 * draw.normal()),
  'Pareto, α 1.2': (draw: Draw) => 5 * (1 - draw.uniform()) ** (-1 / 1.2),
  'one in 200 pays 500 times as much': (draw: Draw) => (draw.uniform() < 1 / 200 ? 5_000 : 10),
} as const;
type Shape = keyof typeof AMOUNTS;

const DAYS = 60;
const FIRST_LOOK = 7;
const LEAST_PEOPLE = 50;
const PAYING = 0.05;

type Plan = { perDay: readonly [number, number]; shape: Shape; lift?: number };
type Arm = { people: number; paid: number[] };

/** The amount that this share of all who paid does not exceed. */
const capOf = (sorted: Float64Array, percentile: Percentile): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * Math.round(percentile * 10)) / 1_000) - 1)] ?? 0;

function sumsOf({ people, paid }: Arm, cap: number): Sums {
  let sum = 0;
  let squares = 0;
  for (const amount of paid) {
    const counted = Math.min(amount, cap);
    sum += counted;
    squares += counted ** 2;
  }
  return { people, sum, squares };
}

function differenceAt([control, arm]: readonly [Arm, Arm], cap: number, alpha: number) {
  const [one, other] = [sumsOf(control, cap), sumsOf(arm, cap)];
  const all = {
    people: one.people + other.people,
    sum: one.sum + other.sum,
    squares: one.squares + other.squares,
  };
  return difference(meanEstimate(one, all), meanEstimate(other, all), alpha);
}

/** What the first daily look with a winner says; the same people under each cap. */
function winners(plan: Plan, draw: Draw): Map<Percentile, 'first' | 'second'> {
  const alpha = intervalAlpha({ arms: 2, metrics: 1 });
  const amount = AMOUNTS[plan.shape];
  const control: Arm = { people: 0, paid: [] };
  const arm: Arm = { people: 0, paid: [] };
  const found = new Map<Percentile, 'first' | 'second'>();
  for (let day = 1; day <= DAYS && found.size < PERCENTILES.length; day += 1) {
    for (const [each, people, rate] of [
      [control, plan.perDay[0], PAYING],
      [arm, plan.perDay[1], PAYING * (1 + (plan.lift ?? 0))],
    ] as const) {
      each.people += people;
      for (let left = draw.successes(people, rate); left > 0; left -= 1) {
        each.paid.push(amount(draw));
      }
    }
    const [one, other] = [control, arm].map(({ people, paid }) => ({ people, did: paid.length }));
    const isReady = expectedConversions(one!, other!) >= MINIMUM_CONVERSIONS;
    if (day < FIRST_LOOK || !isReady || Math.min(control.people, arm.people) < LEAST_PEOPLE)
      continue;
    const sorted = Float64Array.from([...control.paid, ...arm.paid]).sort();
    for (const percentile of PERCENTILES) {
      if (found.has(percentile)) continue;
      const cap = capOf(sorted, percentile);
      const { low, high } = differenceAt([control, arm], cap, alpha);
      if (low > 0) found.set(percentile, 'second');
      if (high < 0) found.set(percentile, 'first');
    }
  }
  return found;
}

const shapes = Object.keys(AMOUNTS) as Shape[];

describe('revenue with a cap at a percentile of those who paid', () => {
  const EXPERIMENTS = isFullRun ? 2_000 : 40;
  const MOST = 0.05 * EXPERIMENTS + (isFullRun ? 0 : 4 * Math.sqrt(0.0475 * EXPERIMENTS));
  const splits = [
    [100, 100],
    [360, 40],
    [40, 360],
    [570, 30],
  ] as const;
  test.each(shapes.flatMap((shape) => splits.map((perDay) => ({ shape, perDay }))))(
    'has at most 5 % false winners: $shape, $perDay people a day',
    (plan) => {
      const draw = drawsFrom(2_026);
      const wrong = new Map<Percentile, number>();
      for (let experiment = 0; experiment < EXPERIMENTS; experiment += 1) {
        for (const percentile of winners(plan, draw).keys()) {
          wrong.set(percentile, (wrong.get(percentile) ?? 0) + 1);
        }
      }
      if (isFullRun) console.log(`${JSON.stringify(plan)}: ${JSON.stringify([...wrong])}`);
      for (const count of wrong.values()) expect(count).toBeLessThanOrEqual(MOST);
    },
    1_200_000,
  );

  const POWER = isFullRun ? 400 : 6;
  test.each(shapes)(
    'finds half as many payers more, the sooner the lower the cap: %s',
    (shape) => {
      const draw = drawsFrom(11);
      const right = new Map<Percentile, number>(PERCENTILES.map((each) => [each, 0]));
      for (let experiment = 0; experiment < POWER; experiment += 1) {
        const plan = { perDay: [1_000, 1_000], shape, lift: 0.5 } as const;
        for (const [percentile, winner] of winners(plan, draw)) {
          if (winner === 'second') right.set(percentile, (right.get(percentile) ?? 0) + 1);
        }
      }
      if (isFullRun) console.log(`${shape}: ${JSON.stringify([...right])} of ${POWER}`);
      expect(right.get(95)!).toBeGreaterThanOrEqual(0.8 * POWER);
      expect(right.get(95)!).toBeGreaterThanOrEqual(right.get(99.9)!);
    },
    1_200_000,
  );
});
