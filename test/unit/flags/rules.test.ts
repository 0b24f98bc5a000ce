import { expect, test } from 'bun:test';
import type { ServedExperiment } from '../../../src/modules/experiments/index.ts';
import { compileFlag } from '../../../src/modules/flags/compile.ts';
import { createEvaluateAll, createKeptAnswers } from '../../../src/modules/flags/resolve-all.ts';
import { randomFlags } from '../../support/flags/random-flags.ts';
import { reckon, reckonArm } from '../../support/flags/reckoning.ts';

const random = randomFlags(Number(process.env.TEST_SEED ?? 7));

/** As the service keeps it: each rule has an id. */
function kept(key: string): any {
  const flag = random.flag(key);
  const rules = flag.rules.map((rule, index) => ({
    id: `rul_${key.padEnd(25, '0')}${index}`,
    ...rule,
  }));
  return { ...flag, rules };
}

test('all flags at once come to what each comes to by itself, again and again', () => {
  // Some sets have more draws than others.
  for (const [set, count] of [5, 150].entries()) {
    const flags = Array.from({ length: count }, (_, n) => {
      const definition = kept(`all${set}x${n}`);
      return compileFlag({ id: 'flg', key: definition.key, definition });
    });
    const evaluateAll = createEvaluateAll(flags);
    const bodies = new Map<string, string>();
    for (let n = 0; n < 100; n += 1) {
      const context: Record<string, any> = random.context();
      const attribute = (name: string) => context[name] ?? null;
      for (const person of [context.targetingKey, 'another-person', `ünïcode-${n % 3}`]) {
        const target = { person, attribute };
        const each = flags.map((flag) => flag.evaluate(target).json.toString());
        const { etag, body } = evaluateAll(target);
        expect(body().toString()).toBe(`{"flags":[${each.join(',')}]}`);
        const before = bodies.get(etag);
        if (before !== undefined) expect(body().toString()).toBe(before);
        bodies.set(etag, body().toString());
      }
    }
    expect(new Set(bodies.values()).size).toBe(bodies.size);
  }
});

test('sets that share what is kept never answer for each other', () => {
  const shared = createKeptAnswers();
  const flagOf = (isOn: boolean) => {
    const definition = { ...kept('shared'), isOn };
    return compileFlag({ id: 'flg', key: 'shared', definition });
  };
  const target = { person: 'person-1', attribute: () => null };
  for (const isOn of [true, false, true]) {
    const flag = flagOf(isOn);
    const evaluateAll = createEvaluateAll([flag], shared);
    for (const { etag, body } of [evaluateAll(target), evaluateAll(target)]) {
      expect(body().toString()).toBe(`{"flags":[${flag.evaluate(target).json}]}`);
      expect(etag).toBe(createEvaluateAll([flag])(target).etag);
    }
  }
});

/** Of every state, some of them in one layer. */
const EXPERIMENTS = Array.from({ length: 8 }, (_, n) => {
  const id = `exp_${n}`;
  const arms = Array.from({ length: 2 + (n % 3) }, (__, arm) => ({
    id: `arm_${n}${arm}`,
    weight: 1 + ((n * arm) % 4),
  }));
  const layer = { name: 'one', fromPercent: n * 20, toPercent: n * 20 + 20 };
  const status = ['running', 'running', 'stopped', 'draft'][n % 4];
  const shipped = n % 4 === 2 && n > 2 ? { armId: `arm_${n}0` } : null;
  const overrides = n === 1 ? { 'another-person': 'arm_11' } : {};
  return { id, arms, layer: n < 5 ? layer : null, status, shipped, overrides };
});
const SERVED = new Map<string, ServedExperiment>(
  EXPERIMENTS.filter(({ status, shipped }) => status === 'running' || shipped).map((one) => {
    const { id, arms, layer, shipped, overrides } = one;
    const shippedArmId = shipped?.armId ?? null;
    return [id, { id, arms, layer, shippedArmId, overrides: new Map(Object.entries(overrides)) }];
  }),
);

test('rules by experiments come to what a plain reckoning says, beside other rules', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 500; n += 1) {
    const flag = kept(`arms${n}`);
    const { id, arms } = EXPERIMENTS[n % EXPERIMENTS.length] as (typeof EXPERIMENTS)[number];
    const variations = Object.fromEntries(
      arms.map((arm, index) => [arm.id, flag.variants[index % flag.variants.length].name]),
    );
    const [first = {}] = flag.rules;
    const where = n % 2 === 0 && first.where ? { where: first.where } : {};
    flag.rules.splice(n % 2, 0, { id: `rul_${n}`, ...where, experiment: id, variations });
    const compiled = compileFlag({ id: 'flg', key: flag.key, definition: flag }, SERVED);
    for (let times = 0; times < 10; times += 1) {
      const context: Record<string, any> = random.context();
      if (times === 0) context.targetingKey = 'another-person';
      const person = context.targetingKey;
      const attribute = (name: string) => context[name] ?? null;
      const { json, exposure } = compiled.evaluate({ person, attribute });
      const { value, reason, metadata } = JSON.parse(json.toString());
      const wanted = reckon(flag, context, EXPERIMENTS);
      expect({ flag, context, value }).toEqual({ flag, context, value: wanted });
      if (!metadata) {
        expect(exposure).toBeNull();
        continue;
      }
      const arm = reckonArm(
        EXPERIMENTS.find((one) => one.id === id),
        person,
      );
      expect({ reason, metadata }).toEqual({ reason: 'SPLIT', metadata: { experiment: id, arm } });
      const overridden = id === 'exp_1' && person === 'another-person';
      expect(exposure).toEqual({ experimentId: id, armId: metadata.arm, overridden });
      seen.add(`${id} ${overridden}`);
    }
  }
  expect([...seen].toSorted()).toEqual([
    ...['exp_0 false', 'exp_1 false', 'exp_1 true', 'exp_4 false', 'exp_5 false'],
  ]);
});

test('two thousand random flags come to what a plain reckoning says', () => {
  const reasons = new Set<string>();
  for (let n = 0; n < 2_000; n += 1) {
    const flag = kept(`flag${n}`);
    const compiled = compileFlag({ id: 'flg', key: flag.key, definition: flag });
    for (let times = 0; times < 10; times += 1) {
      const context: Record<string, any> = random.context();
      const person = context.targetingKey;
      const attribute = (name: string) => context[name] ?? null;
      const { value, reason } = JSON.parse(
        compiled.evaluate({ person, attribute }).json.toString(),
      );
      reasons.add(reason);
      expect({ flag, context, value }).toEqual({ flag, context, value: reckon(flag, context) });
    }
  }
  expect([...reasons].toSorted()).toEqual([
    'DISABLED',
    'SPLIT',
    'STATIC',
    'TARGETING_MATCH',
    'UNKNOWN',
  ]);
});

test.each([
  [
    [1, 2],
    ['1', '2'],
  ],
  [
    [1, 0.5, -3, 0],
    ['1.0', '0.5', '-3.0', '0.0'],
  ],
  [
    [0.5, 1e21],
    ['0.5', '1e+21'],
  ],
])('numbers %j are written %j', (values, texts) => {
  for (const [index, wanted] of texts.entries()) {
    const variants = values.map((value, at) => ({ name: `v${at}`, value }));
    const served = `v${index}`;
    const definition = {
      ...{ type: 'number' as const, isOn: true, description: '', variants, rules: [] },
      ...{ defaultVariant: served, offVariant: served },
    };
    const { json } = compileFlag({ id: 'flg', key: 'n', definition }).evaluate({
      ...{ person: 'person-1', attribute: () => null },
    });
    expect(json.toString()).toBe(
      `{"key":"n","value":${wanted},"reason":"STATIC","variant":"${served}"}`,
    );
  }
});
