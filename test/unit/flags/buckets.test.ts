import { describe, expect, test } from 'bun:test';
import { GrowthBook } from '@growthbook/growthbook';
import { compileFlag, createTarget } from '../../../src/modules/flags/compile.ts';
import { armEnds, BUCKETS, bucketBy } from '../../../src/modules/experiments/index.ts';
import { randomFrom } from '../../support/random.ts';
import cases from '../../fixtures/growthbook/cases.json' with { type: 'json' };

const nothing = () => null;
const answerOf = (definition: any, person: string) =>
  JSON.parse(
    compileFlag({ id: 'flg', key: 'flag', definition }).evaluate(createTarget(person, nothing))
      .json,
  );

const FLAG = {
  type: 'string',
  isOn: true,
  description: '',
  variants: ['a', 'b', 'c', 'none'].map((name) => ({ name, value: name })),
  defaultVariant: 'none',
  offVariant: 'none',
};

describe('buckets are those of GrowthBook, by its own cases', () => {
  const ours = cases.hash
    .filter(([, , version]) => version === 2)
    .map(([seed, value, , wanted]) => [String(seed), String(value), Number(wanted)] as const);

  test.each(ours)('hash of %s and %s', (seed, value, wanted) => {
    expect(bucketBy(seed)(value) / BUCKETS).toBe(wanted);
  });

  type Range = readonly [name: string, weights: number[], ends: number[]];
  const whole = (cases.getBucketRange as any[]).flatMap(([name, given, ranges]): Range[] => {
    const [count, coverage, weights] = given;
    const parts: number[] = weights ?? Array.from({ length: count }, () => 1 / count);
    const sum = parts.reduce((total, one) => total + one, 0);
    if (coverage !== 1 || parts.length !== count || sum !== 1) return [];
    return [[name, parts, ranges.map(([, end]: number[]) => end)]];
  });

  test('there are cases without coverage, whose weights come to one', () => {
    expect(whole.length).toBeGreaterThan(3);
  });

  test.each(whole)('ranges: %s', (_, weights, ends) => {
    expect(armEnds(weights).map((end) => end / BUCKETS)).toEqual(ends);
  });
});

describe('people get what the SDK of GrowthBook gives them', () => {
  const random = randomFrom(34);
  const people = Array.from({ length: 2_000 }, () => `person-${Math.floor(random() * 1e9)}`);

  const splits: { weights: number[] }[] = [
    { weights: [50, 50] },
    { weights: [10, 90] },
    { weights: [20, 30, 50] },
  ];
  test.each(splits)('by a split of $weights', ({ weights }) => {
    const id = 'rul_01kajw5h4ne8v9r3x5s7z0c2de';
    const names = ['a', 'b', 'c'].slice(0, weights.length);
    const split = weights.map((weight, index) => ({ variant: names[index], weight }));
    for (const person of people) {
      const sdk = new GrowthBook({ attributes: { id: person } });
      const { value } = sdk.run({
        key: 'experiment',
        variations: names as [string, string],
        weights: weights.map((weight) => weight / 100),
        seed: `${id}:split`,
        hashVersion: 2,
      });
      expect(answerOf({ ...FLAG, rules: [{ id, split }] }, person).value).toBe(value);
      sdk.destroy();
    }
  });

  test.each([0, 0.01, 12.5, 99.99, 100])('by a percentage of %p', (percent) => {
    const id = 'rul_01kajw5h4ne8v9r3x5s7z0c2df';
    for (const person of people) {
      const sdk = new GrowthBook({
        attributes: { id: person },
        features: {
          flag: {
            defaultValue: 'none',
            rules: [{ force: 'a', seed: id, hashVersion: 2, range: [0, percent / 100] }],
          },
        },
      });
      const wanted = sdk.getFeatureValue('flag', 'missing');
      expect(answerOf({ ...FLAG, rules: [{ id, percent, variant: 'a' }] }, person).value).toBe(
        wanted,
      );
      sdk.destroy();
    }
  });
});
