import { describe, expect, test } from 'bun:test';
import {
  intervalAlpha,
  difference,
  expectedConversions,
  MINIMUM_CONVERSIONS,
  rateEstimate,
} from '../../../src/modules/experiments/comparison/sequence.ts';
import type { ServedExperiment } from '../../../src/modules/experiments/index.ts';
import { compileFlag, createTarget } from '../../../src/modules/flags/compile.ts';
import { chiSquareP, independenceP, proportionP } from '../../support/chi-square.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

const SEED = Number(process.env.TEST_SEED ?? 34);
/** Times that ten experiments run at once, each time on other people. */
const TIMES = isFullRun ? 200 : 10;
const PEOPLE = 10_000;
const EXPERIMENTS = 10;
const IN_LAYER = 4;
const DAYS = 60;
const RATE = 0.1;
const LEVEL = 0.05;

const random = randomFrom(SEED);
const idOf = (prefix: string) =>
  `${prefix}_${random().toString(36).slice(2)}${random().toString(36).slice(2)}`;

/** Two arms, three, and unequal ones; the first four share a layer. */
function experimentOf(index: number): ServedExperiment {
  const weights =
    [
      [1, 1],
      [1, 1, 1],
      [3, 1],
    ][index % 3] ?? [];
  const part = 100 / IN_LAYER;
  const fromPercent = index * part;
  return {
    id: idOf('exp'),
    arms: weights.map((weight) => ({ id: idOf('arm'), weight })),
    layer: index < IN_LAYER ? { name: 'shared', fromPercent, toPercent: fromPercent + part } : null,
    shippedArmId: null,
    overrides: new Map(),
  };
}

/** For each person the index of their arm in each experiment, -1 outside of it. */
function assignAll(experiments: readonly ServedExperiment[], people: readonly string[]) {
  const byId = new Map(experiments.map((one) => [one.id, one]));
  const flags = experiments.map(({ id, arms }, index) => {
    const names = arms.map((_, arm) => `v${arm}`);
    const definition = {
      type: 'number' as const,
      isOn: true,
      description: '',
      variants: [...names, 'none'].map((name, value) => ({
        name,
        value: name === 'none' ? -1 : value,
      })),
      defaultVariant: 'none',
      offVariant: 'none',
      rules: [
        {
          id: `rul_${index}`,
          experiment: id,
          variations: Object.fromEntries(arms.map((arm, at) => [arm.id, `v${at}`])),
        },
      ],
    };
    return compileFlag(
      { id: `flg_${index}`, key: `flag-${index}`, definition },
      { experiments: byId },
    );
  });
  return people.map((person) =>
    flags.map((flag) => Number(flag.evaluate(createTarget(person, () => null)).evaluation.value)),
  );
}

/** Whether a daily look from the seventh day on names a winner where there is no difference. */
function hasWinner(arms: number, given: readonly number[], converts: readonly boolean[]): boolean {
  const counts = Array.from({ length: arms }, () => ({ people: 0, did: 0 }));
  const alpha = intervalAlpha({ arms, metrics: 1 });
  for (let day = 1; day <= DAYS; day += 1) {
    const [from, to] = [day - 1, day].map((each) => Math.round((each * given.length) / DAYS));
    for (let person = from ?? 0; person < (to ?? 0); person += 1) {
      const count = counts[given[person] ?? -1];
      if (!count) continue;
      count.people += 1;
      if (converts[person]) count.did += 1;
    }
    if (day < 7 || counts.some(({ people }) => people < 50)) continue;
    const [control, ...others] = counts as [(typeof counts)[0], ...typeof counts];
    for (const arm of others) {
      if (expectedConversions(control, arm) < MINIMUM_CONVERSIONS) continue;
      const { low, high } = difference(
        rateEstimate(control.did, control.people),
        rateEstimate(arm.did, arm.people),
        alpha,
      );
      if (low > 0 || high < 0) return true;
    }
  }
  return false;
}

/** What chance leaves below the level in so many tests, four deviations at most. */
const mostOf = (tests: number) => LEVEL * tests + 4 * Math.sqrt(LEVEL * (1 - LEVEL) * tests);
const belowLevel = (found: readonly number[]) => found.filter((p) => p < LEVEL).length;

test.each([
  [3.841459, 1, 0.05],
  [5.991465, 2, 0.05],
  [9.487729, 4, 0.05],
  [6.634897, 1, 0.01],
  [0, 3, 1],
])(
  'the probability of a chi-square of %d with %d degrees is that of the tables',
  (value, degrees, p) => {
    expect(chiSquareP(value, degrees)).toBeCloseTo(p, 6);
  },
);

describe(`ten experiments at once on ${PEOPLE} people each, ${TIMES} times (seed ${SEED})`, () => {
  const ratios: number[] = [];
  const pairs: number[] = [];
  let winners = 0;
  let alone = 0;
  for (let times = 0; times < TIMES; times += 1) {
    const experiments = Array.from({ length: EXPERIMENTS }, (_, index) => experimentOf(index));
    const people = Array.from({ length: PEOPLE }, () => idOf('person'));
    const converts = people.map(() => random() < RATE);
    const given = assignAll(experiments, people);
    const armsIn = (index: number) => given.map((arms) => arms[index] ?? -1);
    alone += given.filter(
      (arms) => arms.slice(0, IN_LAYER).filter((arm) => arm >= 0).length === 1,
    ).length;
    for (const [index, { arms }] of experiments.entries()) {
      const counts = arms.map((_, arm) => armsIn(index).filter((one) => one === arm).length);
      ratios.push(
        proportionP(
          counts,
          arms.map(({ weight }) => weight),
        ),
      );
      if (hasWinner(arms.length, armsIn(index), converts)) winners += 1;
      // Of a layer nobody is in two; against all others.
      for (let other = Math.max(index + 1, IN_LAYER); other < EXPERIMENTS; other += 1) {
        const table = arms.map(() => (experiments[other]?.arms ?? []).map(() => 0));
        for (const one of given) {
          const row = table[one[index] ?? -1];
          if (row) row[one[other] ?? -1]! += 1;
        }
        pairs.push(independenceP(table));
      }
    }
    // Who takes part says nothing about arms elsewhere.
    ratios.push(
      proportionP(
        Array.from(
          { length: IN_LAYER },
          (_, index) => armsIn(index).filter((arm) => arm >= 0).length,
        ),
        Array.from({ length: IN_LAYER }, () => 1),
      ),
    );
  }
  const all = TIMES * EXPERIMENTS;
  if (isFullRun) {
    console.log(
      `winners ${winners} of ${all}; ratios below ${LEVEL}: ${belowLevel(ratios)} of ${ratios.length}; pairs: ${belowLevel(pairs)} of ${pairs.length}, least ${Math.min(...pairs)}`,
    );
  }

  test('in a layer everybody is in one', () => {
    expect(alone).toBe(TIMES * PEOPLE);
  });

  test('people fall into the arms and the parts of the layer as the weights say', () => {
    expect(belowLevel(ratios)).toBeLessThanOrEqual(mostOf(ratios.length));
    expect(Math.min(...ratios)).toBeGreaterThan(0.001 / ratios.length);
  });

  test('the arm in one says nothing about the arm in another', () => {
    expect(pairs).toHaveLength(TIMES * 39);
    expect(belowLevel(pairs)).toBeLessThanOrEqual(mostOf(pairs.length));
    expect(Math.min(...pairs)).toBeGreaterThan(0.001 / pairs.length);
  });

  test('at most the level of them has a winner where nothing makes a difference', () => {
    expect(winners).toBeLessThanOrEqual(mostOf(all));
  });
});
