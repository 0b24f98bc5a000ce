import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../src/shared/random.ts';
import { type Compiler, openCompiler } from './compiler.ts';
import { type Mutation, mutate } from './mutations.ts';
import { copyTree } from './tree.ts';

/** Rule files, each with the tests that must notice a change of it. */
export type Rules = Readonly<Record<string, readonly string[]>>;

export type Options = {
  root: string;
  rules: Rules;
  seed: number;
  /** Mutants to try; all of them when there are fewer. */
  count: number;
  report?: (line: string) => void;
};

export type Outcome = { tried: number; noticed: number; survivors: string[] };

type Mutant = { file: string; mutation: Mutation };

/** Test runs at a time, each in a copy of the tree. */
const RUNS = 2;
/** A run may take this many times what it takes on unchanged code; a hang counts as noticed. */
const SLOWDOWN = 4;
const EXTRA_MS = 10_000;

function checkPaths(root: string, rules: Rules): void {
  for (const [file, tests] of Object.entries(rules)) {
    for (const path of [file, ...tests]) {
      if (existsSync(join(root, path))) continue;
      throw new Error(
        `${path} does not exist. If it moved, correct its path in scripts/mutants/rules.ts; ` +
          'if it went, remove it there.',
      );
    }
  }
}

/** True when the tests pass; false when they fail, do not start or do not end. */
async function passes(tree: string, tests: readonly string[], limitMs: number): Promise<boolean> {
  // Property tests with their short counts, so that a mutant takes seconds.
  const { TEST_FULL: _, ...env } = process.env;
  const child = Bun.spawn(
    [
      process.execPath,
      'test',
      '--bail',
      `--timeout=${limitMs}`,
      ...tests.map((path) => `./${path}`),
    ],
    { cwd: tree, env, stdio: ['ignore', 'ignore', 'ignore'], timeout: limitMs, killSignal: 9 },
  );
  return (await child.exited) === 0;
}

/** How long the tests of each rule file may take: measured on unchanged code, where they pass. */
async function measureLimits(tree: string, rules: Rules, files: ReadonlySet<string>) {
  const limits = new Map<string, number>();
  for (const file of files) {
    const started = performance.now();
    const tests = rules[file] ?? [];
    if (!(await passes(tree, tests, 10 * 60_000))) {
      throw new Error(`${tests.join(', ')} fail without any change: mend them first.`);
    }
    limits.set(file, Math.ceil((performance.now() - started) * SLOWDOWN) + EXTRA_MS);
  }
  return limits;
}

/** All mutants in an order that the seed decides. */
async function shuffledMutants(compiler: Compiler, files: readonly string[], seed: number) {
  const mutants: Mutant[] = [];
  for (const file of files) {
    for (const mutation of await compiler.mutations(file)) mutants.push({ file, mutation });
  }
  const { next } = seeded(seed);
  return mutants
    .map((mutant) => ({ mutant, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ mutant }) => mutant);
}

/** The first `count` mutants that compile. */
async function sample(compiler: Compiler, { root, rules, seed, count }: Options) {
  const chosen: Mutant[] = [];
  for (const mutant of await shuffledMutants(compiler, Object.keys(rules), seed)) {
    if (chosen.length === count) break;
    const original = readFileSync(join(root, mutant.file), 'utf8');
    const compiled = await compiler.compiles(mutant.file, mutate(original, mutant.mutation));
    if (compiled) chosen.push(mutant);
    await compiler.compiles(mutant.file, original);
  }
  return chosen;
}

function describe({ file, mutation: { line, before, text } }: Mutant): string {
  const inOneLine = (code: string) => code.replace(/\s+/g, ' ').slice(0, 80);
  return `${file}:${line}  ${inOneLine(before)}  →  ${inOneLine(text)}`;
}

/** Tries a seeded sample of mutants, each on a copy of the tree. The working tree is never touched. */
export async function runMutants(options: Options): Promise<Outcome> {
  const { root, rules, report } = options;
  checkPaths(root, rules);
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const trees = Array.from({ length: RUNS }, (_, index) => join(folder, `tree-${index}`));
  try {
    for (const tree of [...trees, join(folder, 'compiled')]) copyTree(root, tree);
    const compiler = await openCompiler(join(folder, 'compiled'), Object.keys(rules));
    const waiting = await sample(compiler, options).finally(() => compiler.close());
    const outcome: Outcome = { tried: waiting.length, noticed: 0, survivors: [] };
    const files = new Set(waiting.map(({ file }) => file));
    const limits = await measureLimits(join(folder, 'tree-0'), rules, files);
    const tryMutants = async (tree: string) => {
      for (let mutant = waiting.pop(); mutant; mutant = waiting.pop()) {
        const path = join(tree, mutant.file);
        const original = readFileSync(path, 'utf8');
        writeFileSync(path, mutate(original, mutant.mutation));
        const limitMs = limits.get(mutant.file) ?? EXTRA_MS;
        const survived = await passes(tree, rules[mutant.file] ?? [], limitMs);
        writeFileSync(path, original);
        if (survived) outcome.survivors.push(describe(mutant));
        else outcome.noticed += 1;
        report?.(`${survived ? 'survived' : 'noticed '}  ${describe(mutant)}`);
      }
    };
    await Promise.all(trees.map(tryMutants));
    return { ...outcome, survivors: outcome.survivors.toSorted() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
