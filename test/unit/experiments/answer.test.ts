import { describe, expect, test } from 'bun:test';
import { decideAnswer } from '../../../src/modules/experiments/comparison/answer.ts';
import { measuredMetrics } from '../../../src/modules/experiments/comparison/metrics.ts';
import { planSizes } from '../../../src/modules/experiments/comparison/sizes.ts';
import {
  DEFAULT_MEASUREMENT,
  type Measurement,
  type Metric,
} from '../../../src/modules/experiments/measurement.model.ts';
import type { Measured } from '../../../src/query/experiment/model.ts';
import { drawsFrom } from '../../support/draws.ts';
import { isFullRun } from '../../support/random.ts';

type Arm = Measured['arms'][number];

const arm = (armId: string, people: number, converted: number, more: Partial<Arm> = {}): Arm => ({
  armId,
  people,
  converted,
  events: [],
  trials: 0,
  revenue: { payers: 0, sum: 0, squares: 0, capped: 0 },
  ...more,
});

const metric = (more: Partial<Metric>): Metric => ({
  id: 'met_1',
  name: 'Likes',
  kind: 'event',
  event: 'like',
  where: null,
  role: 'deciding',
  better: 'higher',
  ...more,
});

type Case = {
  fullDays?: number;
  isRunning?: boolean;
  isSplitBroken?: boolean;
  measurement?: Partial<Measurement>;
};

function answer(arms: Arm[], { measurement, ...situation }: Case = {}) {
  const ids = arms.map(({ armId }) => armId);
  const measured = { exposedBeforeUs: 0, arms, cap: null };
  const metrics = measuredMetrics(ids, { ...DEFAULT_MEASUREMENT, ...measurement }, measured);
  return {
    metrics,
    ...decideAnswer({
      arms: arms.map(({ armId, people }) => ({ id: armId, name: armId, people })),
      metrics,
      fullDays: 10,
      isRunning: true,
      isSplitBroken: false,
      peopleADay: 100,
      ...situation,
    }),
  };
}

describe('an experiment answers', () => {
  test('which arm is ahead, and by how much', () => {
    const found = answer([arm('long', 4_000, 400), arm('short', 4_000, 600)]);
    expect(found).toMatchObject({ verdict: 'ahead', armId: 'short', reason: null, moreDays: null });
    expect(found.text).toBe('“short” is ahead of “long” in Conversion (50.0 %).');
    const [conversion] = found.metrics;
    expect(conversion?.differences[0]?.difference).toBeCloseTo(0.05, 10);
    expect(conversion?.alpha).toBe(0.05);
  });

  test('the share of each arm with its own Wilson interval, and none of money', () => {
    const paid = metric({ kind: 'revenue', event: null });
    const [conversion, revenue] = answer([arm('long', 100, 10), arm('short', 100, 0)], {
      measurement: { metrics: [paid] },
    }).metrics;
    const [long, short] = conversion?.arms ?? [];
    expect([long?.low, long?.high]).toEqual([expect.closeTo(0.0552, 4), expect.closeTo(0.1744, 4)]);
    expect([short?.mean, short?.low, short?.high]).toEqual([0, 0, expect.closeTo(0.037, 3)]);
    expect(revenue?.arms[0]).toMatchObject({ mean: 0, low: null, high: null });
  });

  test('that the control is ahead, when every other arm is worse', () => {
    const found = answer([arm('long', 4_000, 600), arm('short', 4_000, 400)]);
    expect(found).toMatchObject({ verdict: 'ahead', armId: 'long' });
  });

  test('how many more people and days it takes, rounded', () => {
    const found = answer([arm('long', 500, 50), arm('short', 500, 60)]);
    expect(found).toMatchObject({ verdict: 'not_decided', reason: 'interval_too_wide' });
    expect(found.morePeople).toBeGreaterThan(1_000);
    expect(found.moreDays).toBeGreaterThanOrEqual(Math.floor(found.morePeople! / 100) - 50);
    expect(String(found.morePeople)).toMatch(/^\d\d0*$/);
  });

  test('that no difference is larger than the margin', () => {
    const found = answer([arm('long', 400_000, 40_000), arm('short', 400_000, 40_100)]);
    expect(found).toMatchObject({ verdict: 'no_difference', armId: null });
    expect(found.largest).toBeLessThan(0.1);
    const narrower = { measurement: { margin: 0.01 } };
    expect(
      answer([arm('long', 400_000, 40_000), arm('short', 400_000, 40_100)], narrower).verdict,
    ).toBe('not_decided');
  });

  test('nothing before seven full days, however large the difference', () => {
    const arms = [arm('long', 4_000, 400), arm('short', 4_000, 2_000)];
    expect(answer(arms, { fullDays: 6 })).toMatchObject({
      verdict: 'not_decided',
      reason: 'too_few_days',
      moreDays: 1,
    });
    expect(answer(arms, { fullDays: 7 }).verdict).toBe('ahead');
  });

  test('nothing of an arm with 49 people, but how many are missing', () => {
    const found = answer([arm('long', 4_000, 400), arm('short', 49, 49)]);
    expect(found).toMatchObject({ verdict: 'not_decided', reason: 'too_few_people' });
    expect(found.morePeople).toBe(83);
    const [conversion] = found.metrics;
    expect(conversion?.arms[1]).toMatchObject({ people: 49, total: null, mean: null });
    expect(conversion?.differences[0]).toMatchObject({ difference: null, low: null, high: null });
  });

  test('nothing where the split is broken', () => {
    const arms = [arm('long', 4_000, 400), arm('short', 4_000, 2_000)];
    expect(answer(arms, { isSplitBroken: true })).toMatchObject({ reason: 'split_is_broken' });
  });

  test('nobody more comes to an experiment that is stopped', () => {
    const found = answer([arm('long', 500, 50), arm('short', 500, 60)], { isRunning: false });
    expect(found).toMatchObject({ verdict: 'not_decided', morePeople: null, moreDays: null });
  });

  test('that metrics disagree, where one is better and another worse', () => {
    const measurement = { metrics: [metric({})] };
    const found = answer(
      [arm('long', 4_000, 400, { events: [900] }), arm('short', 4_000, 800, { events: [500] })],
      { measurement },
    );
    expect(found).toMatchObject({ verdict: 'not_decided', reason: 'metrics_disagree' });
    expect(found.metrics.map(({ alpha }) => alpha)).toEqual([0.025, 0.025]);
  });

  test('a worse guardrail warns and decides nothing', () => {
    const measurement = {
      metrics: [metric({ role: 'guardrail', better: 'lower', name: 'Crashes' })],
    };
    const found = answer(
      [arm('long', 4_000, 400, { events: [40] }), arm('short', 4_000, 800, { events: [400] })],
      { measurement },
    );
    expect(found).toMatchObject({ verdict: 'ahead', armId: 'short', worseGuardrails: ['Crashes'] });
    expect(found.metrics.map(({ alpha }) => alpha)).toEqual([0.05, 0.05]);
  });

  test('of six arms the best of those that are better than the control', () => {
    const arms = [400, 410, 800, 390, 900, 405].map((did, index) => arm(`a${index}`, 4_000, did));
    const found = answer(arms);
    expect(found).toMatchObject({ verdict: 'ahead', armId: 'a4' });
    expect(found.metrics[0]?.alpha).toBe(0.01);
  });

  test('nothing of revenue that nobody paid', () => {
    const measurement = { metrics: [metric({ kind: 'revenue', event: null })] };
    const found = answer([arm('long', 400, 40), arm('short', 400, 41)], { measurement });
    expect(found.metrics[1]?.differences[0]).toMatchObject({ verdict: 'not_decided', low: null });
  });
});

test('simulated experiments without a difference give at most 5 % false winners as they answer', () => {
  const experiments = isFullRun ? 10_000 : 300;
  const draw = drawsFrom(5);
  const measurement = {
    metrics: [metric({}), metric({ id: 'met_2', kind: 'revenue', event: null })],
  };
  let winners = 0;
  for (let experiment = 0; experiment < experiments; experiment += 1) {
    const arms = Array.from({ length: 6 }, (_, index) => arm(`a${index}`, 0, 0, { events: [0] }));
    for (let day = 1; day <= 28; day += 1) {
      for (const each of arms) {
        each.people += 40;
        each.converted += draw.successes(40, 0.08);
        each.events[0]! += draw.successes(40, 0.3);
        for (let payers = draw.successes(40, 0.04); payers > 0; payers -= 1) {
          const amount = Math.min(300, Math.exp(draw.normal() + 3));
          each.revenue.sum += amount;
          each.revenue.squares += amount ** 2;
        }
      }
      if (answer(arms, { fullDays: day, measurement }).verdict !== 'ahead') continue;
      winners += 1;
      break;
    }
  }
  if (isFullRun) console.log(`six arms, three metrics, one of them revenue: ${winners} winners`);
  expect(winners).toBeLessThanOrEqual(
    0.05 * experiments + (isFullRun ? 0 : 4 * Math.sqrt(0.0475 * experiments)),
  );
}, 1_200_000);

describe('before the start', () => {
  const plan = { weights: [1, 1], decidingMetrics: 1, windowHours: 72 };

  test('smaller differences take more people, more arms and metrics too', () => {
    const { sizes, rate } = planSizes({ lookedAtDays: 28, people: 2_800, converted: 280 }, plan);
    expect(rate).toBe(0.1);
    expect(sizes.map(({ lift }) => lift)).toEqual([0.1, 0.2, 0.5]);
    const people = sizes.map((size) => size.people!);
    expect(people).toEqual(people.toSorted((a, b) => b - a));
    const more = planSizes(
      { lookedAtDays: 28, people: 2_800, converted: 280 },
      { ...plan, weights: [1, 1, 1], decidingMetrics: 3 },
    );
    expect(more.sizes[1]!.people!).toBeGreaterThan(people[1]!);
  });

  test('the pace of an app that is days old is that of these days', () => {
    const year = { lookedAtDays: 365, people: 48, converted: 5 };
    const young = planSizes({ ...year, recent: { people: 48, days: 6 } }, plan);
    expect([young.peopleADay, young.daysUntilRate]).toEqual([8, 1]);
    const old = planSizes({ ...year, recent: { people: 0, days: 28 } }, plan);
    expect(old.peopleADay).toBe(48 / 365);
  });

  test('five months is an answer', () => {
    const { sizes } = planSizes({ lookedAtDays: 28, people: 2_800, converted: 280 }, plan);
    expect(sizes[1]!.text).toMatch(/^\+20 %: \d+,\d{3} people, \d+ months\.$/);
  });

  test('an experiment of that size finds the difference four times out of five', () => {
    const today = { lookedAtDays: 10, people: 10_000, converted: 1_000 };
    const people = Math.ceil(planSizes(today, plan).sizes[1]!.people! / 2);
    const draw = drawsFrom(3);
    let found = 0;
    for (let experiment = 0; experiment < 500; experiment += 1) {
      const arms = [
        arm('a', people, draw.successes(people, 0.1)),
        arm('b', people, draw.successes(people, 0.12)),
      ];
      if (answer(arms).armId === 'b') found += 1;
    }
    expect(found).toBeGreaterThan(380);
    expect(found).toBeLessThan(450);
  });

  test('under fifty people there is no rate, but when there will be one', () => {
    const few = planSizes({ lookedAtDays: 28, people: 28, converted: 3 }, plan);
    expect(few).toMatchObject({ rate: null, people: 28, converted: 3, daysUntilRate: 22 });
    expect(few.sizes.every(({ people }) => people === null)).toBe(true);
  });
});
