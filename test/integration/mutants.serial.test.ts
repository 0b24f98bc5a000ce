import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/install.ts';
import { RULES } from '../../scripts/mutants/rules.ts';
import { runMutants } from '../../scripts/mutants/run.ts';
import { testFull } from '../support/left-out.ts';

const SEED = Number(process.env.TEST_SEED ?? 1);
const SAMPLE = 400;
const NOTICED = 0.9;

/** `minor` is held by its test on both sides of the boundary, `price` is only called. */
const RULE = `export const minor = (age: number): boolean => age < 18;
export const price = (age: number): number => (age < 6 ? 0 : 5);
`;
const RULE_TEST = `import { expect, test } from 'bun:test';
import { minor, price } from './rule.ts';
test('under eighteen is minor', () => {
  expect([minor(17), minor(18), minor(19)]).toEqual([true, false, false]);
  price(1);
});
`;

describe('mutants of a small project', () => {
  let root = '';

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'mutants-test-'));
    mkdirSync(join(root, 'node_modules'));
    cpSync(join(ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'));
    writeFileSync(join(root, '.gitignore'), 'node_modules\n');
    writeFileSync(join(root, 'rule.ts'), RULE);
    writeFileSync(join(root, 'rule.test.ts'), RULE_TEST);
    Bun.spawnSync(['git', 'init', '-q'], { cwd: root });
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const rules = { 'rule.ts': ['rule.test.ts'] };

  test('are noticed where a test holds the rule, and survive with their place where none does', async () => {
    const report: string[] = [];
    const outcome = await runMutants({
      root,
      rules,
      seed: 1,
      count: Number.POSITIVE_INFINITY,
      report: (line) => report.push(line),
    });
    expect(report).toContain('noticed   rule.ts:1  <  →  <=');
    expect(outcome.survivors).toContain('rule.ts:2  <  →  <=');
    expect(outcome.survivors.every((line) => line.startsWith('rule.ts:2 '))).toBe(true);
    expect(outcome.noticed + outcome.survivors.length).toBe(outcome.tried);
    expect(readFileSync(join(root, 'rule.ts'), 'utf8')).toBe(RULE);
  });

  test('are not tried when a path of the table leads nowhere', () => {
    const moved = { 'moved.ts': ['rule.test.ts'] };
    return expect(runMutants({ root, rules: moved, seed: 1, count: 1 })).rejects.toThrow(
      'moved.ts does not exist. If it moved, correct its path in scripts/mutants/rules.ts',
    );
  });
});

testFull(`at least ${100 * NOTICED} % of ${SAMPLE} changes of rules are noticed`, async () => {
  console.log(`seed ${SEED}`);
  const outcome = await runMutants({ root: ROOT, rules: RULES, seed: SEED, count: SAMPLE });
  for (const survivor of outcome.survivors) console.log(`survived  ${survivor}`);
  expect(outcome.tried).toBe(SAMPLE);
  expect(outcome.noticed / outcome.tried).toBeGreaterThanOrEqual(NOTICED);
});
