import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { ROOT } from '../../support/sources.ts';

const transpiler = new Bun.Transpiler({ loader: 'tsx' });
/** Programs by the package that brings them. */
const PROGRAMS: Record<string, string> = { tsc: 'typescript', expo: 'expo' };
/** Packages whose types are another package's. */
const TYPES: Record<string, string> = { react: '@types/react' };

const manifests = [...new Glob('clients/examples/*/package.json').scanSync({ cwd: ROOT })];

const nameOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

test('there are examples', () => {
  expect(manifests).toContain('clients/examples/expo/package.json');
});

test.each(manifests)('%s brings what its scripts run and its files import, with types', (path) => {
  const { scripts, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const brought = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  const programs = Object.values<string>(scripts).map((script) => script.split(' ')[0] ?? '');
  expect(programs.filter((program) => !brought.has(PROGRAMS[program] ?? program))).toEqual([]);
  const folder = join(ROOT, dirname(path));
  const imported = [...new Glob('*.{ts,tsx}').scanSync({ cwd: folder })]
    .flatMap((file) => transpiler.scanImports(readFileSync(join(folder, file), 'utf8')))
    .map((found) => found.path)
    .filter((name) => !name.startsWith('.'))
    .map(nameOf);
  expect(imported.length).toBeGreaterThan(0);
  const wanted = new Set(imported.flatMap((name) => [name, ...(TYPES[name] ? [TYPES[name]] : [])]));
  expect([...wanted].filter((name) => !brought.has(name))).toEqual([]);
});
