import { expect, test } from 'bun:test';
import { compileFlag } from '../../../src/modules/flags/compile.ts';
import { createEvaluateAll } from '../../../src/modules/flags/resolve-all.ts';
import { randomFlags } from '../../support/flags/random-flags.ts';
import { reckon } from '../../support/flags/reckoning.ts';

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
  const flags = Array.from({ length: 100 }, (_, n) => {
    const definition = kept(`all${n}`);
    return compileFlag({ id: 'flg', key: definition.key, definition });
  });
  const evaluateAll = createEvaluateAll(flags);
  for (let n = 0; n < 500; n += 1) {
    const context: Record<string, any> = random.context();
    const attribute = (name: string) => context[name] ?? null;
    for (const person of [context.targetingKey, 'another-person']) {
      const target = { person, attribute };
      expect(evaluateAll(target)).toEqual(flags.map((flag) => flag.evaluate(target)));
    }
  }
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
      const { value, reason } = JSON.parse(compiled.evaluate({ person, attribute }));
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
