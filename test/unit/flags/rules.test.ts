import { expect, test } from 'bun:test';
import type { ServedExperiment } from '../../../src/modules/experiments/index.ts';
import { must } from '../../../src/shared/assert.ts';
import { compileFlag, createTarget } from '../../../src/modules/flags/compile.ts';
import { toBody, toEtag } from '../../../src/modules/flags/answers.ts';
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

/** What a client keeps: the body and its ETag, which follows from the body alone. */
test('all of two thousand random flags at once come to what a plain reckoning says', () => {
  const etags = new Map<string, string>();
  // Some sets have more draws than others, and some flags an experiment.
  for (const [set, count] of [1, 5, 44, 150, 800, 1_000].entries()) {
    const definitions = Array.from({ length: count }, (_, n) => {
      const flag = kept(`all${set}x${n}`);
      if (n % 7 > 0) return flag;
      const { id, arms } = must(EXPERIMENTS[(n / 7) % EXPERIMENTS.length], 'there are some');
      const variations = Object.fromEntries(
        arms.map((arm, index) => [arm.id, flag.variants[index % flag.variants.length].name]),
      );
      const rule = { id: `rul_${set}${n}`, experiment: id, variations };
      return { ...flag, rules: flag.rules.toSpliced(n % 2, 0, rule) };
    });
    const flags = definitions.map((one) =>
      compileFlag({ id: 'flg', key: one.key, definition: one }, { experiments: SERVED }),
    );
    for (let n = 0; n < (count > 200 ? 2 : 10); n += 1) {
      const context: Record<string, any> = random.context();
      const attribute = (name: string) => context[name] ?? null;
      for (const person of [context.targetingKey, 'another-person', `ünïcode-${n % 3}`]) {
        const answers = flags.map((flag) => flag.evaluate(createTarget(person, attribute)));
        const wanted = `{"flags":[${answers.map(({ json }) => json).join(',')}]}`;
        expect(toBody(answers)).toBe(wanted);
        const etag = toEtag(answers);
        expect(etags.get(wanted) ?? etag).toBe(etag);
        etags.set(wanted, etag);
        const values = JSON.parse(wanted).flags.map(({ value }: { value: unknown }) => value);
        const asked = { ...context, targetingKey: person };
        expect(answers.map(({ evaluation }) => evaluation)).toEqual(JSON.parse(wanted).flags);
        expect(values).toEqual(definitions.map((one) => reckon(one, asked, EXPERIMENTS)));
      }
    }
  }
  expect(new Set(etags.values()).size).toBe(etags.size);
});

test('an answer keeps its ETag over releases, so that an upgrade is no answer in full', () => {
  const etagOf = (...definitions: any[]) =>
    toEtag(
      definitions.map((one) =>
        compileFlag({ id: 'flg', key: one.key, definition: one }).evaluate(
          createTarget('person-1', () => null),
        ),
      ),
    );
  const variants = ['on', 'off'].map((name) => ({ name, value: name === 'on' }));
  const plain = {
    ...{ key: 'one', type: 'boolean', isOn: true, description: '', variants },
    ...{ defaultVariant: 'on', offVariant: 'off', rules: [] },
  };
  const drawn = { ...plain, key: 'two', rules: [{ id: 'rul_1', percent: 50, variant: 'on' }] };
  expect([etagOf(), etagOf(plain), etagOf(plain, drawn)]).toEqual([
    ...['"2d06800538d394c2"', '"cb999764ca5ef925"', '"d02a45cb6bb25ce1"'],
  ]);
});

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
    const compiled = compileFlag(
      { id: 'flg', key: flag.key, definition: flag },
      { experiments: SERVED },
    );
    for (let times = 0; times < 10; times += 1) {
      const context: Record<string, any> = random.context();
      if (times === 0) context.targetingKey = 'another-person';
      const person = context.targetingKey;
      const attribute = (name: string) => context[name] ?? null;
      const { json, exposure } = compiled.evaluate(createTarget(person, attribute));
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
        compiled.evaluate(createTarget(person, attribute)).json.toString(),
      );
      reasons.add(reason);
      expect({ flag, context, value }).toEqual({ flag, context, value: reckon(flag, context) });
    }
  }
  expect([...reasons].toSorted()).toEqual(['SPLIT', 'STATIC', 'TARGETING_MATCH', 'UNKNOWN']);
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
    const { json } = compileFlag({ id: 'flg', key: 'n', definition }).evaluate(
      createTarget('person-1', () => null),
    );
    expect(json.toString()).toBe(
      `{"key":"n","value":${wanted},"reason":"STATIC","variant":"${served}"}`,
    );
  }
});
