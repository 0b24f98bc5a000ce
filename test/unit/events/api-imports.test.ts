import { expect, test } from 'bun:test';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
const transpiler = new Bun.Transpiler({ loader: 'ts' });

/**
 * Every package that a file loads, through all of our own that it loads; types load nothing. Of what
 * a kind of question imports when it is called, the process calls the forms of these names.
 */
async function packagesOf(entry: string, forms = /^$/): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const walk = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: target, kind } of transpiler.scanImports(await Bun.file(path).text())) {
      const isForm = kind === 'dynamic-import' && path.endsWith('/kind.ts');
      if (isForm && !forms.test(target)) continue;
      if (!target.startsWith('.')) found.set(target, path);
      // Files of data load nothing.
      else if (/\.tsx?$/.test(target)) await walk(resolve(dirname(path), target));
    }
  };
  await walk(join(ROOT, entry));
  return found;
}

// Bun's native work shares one pool: a query there holds back the sync that a 202 waits for.
test('the process that takes events never loads DuckDB', async () => {
  const packages = await packagesOf('src/app/processes/api.ts');
  expect(packages.size).toBeGreaterThan(10);
  expect([...packages.keys()].filter((name) => name.includes('duckdb'))).toEqual([]);
  expect([...(await packagesOf('src/app/processes/compactor.ts')).keys()]).toContain(
    '@duckdb/node-api',
  );
});

test('a thread that helps counting loads neither DuckDB nor the database', async () => {
  const packages = await packagesOf('src/query/helper.ts', /^\.\/projected\.ts$/);
  expect(packages.size).toBeGreaterThan(1);
  expect([...packages.keys()].filter((name) => /duckdb|postgres/.test(name))).toEqual([]);
});
