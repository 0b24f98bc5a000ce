import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Glob } from 'bun';
import { ROOT } from '../install.ts';

export type TestFile = {
  /** From the root of the project. */
  path: string;
  needs: ReadonlySet<ServerName>;
  /** `*.serial.test.ts` measures or kills things: nothing else runs beside it. */
  serial: boolean;
};

export type ServerName = 'postgres' | 'temporal' | 'bundle';

const SUPPORT = new Map<string, ServerName>([
  [join(ROOT, 'test/support/postgres.ts'), 'postgres'],
  [join(ROOT, 'test/support/temporal.ts'), 'temporal'],
  [join(ROOT, 'test/support/instance.ts'), 'bundle'],
  [join(ROOT, 'test/support/event-processes.ts'), 'bundle'],
]);

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** The project's files that `path` imports; what is imported only as a type does not count. */
function importsOf(path: string): string[] {
  const { imports } = transpiler.scan(readFileSync(path, 'utf8'));
  return imports
    .filter((found) => found.path.startsWith('.'))
    .map((found) => Bun.resolveSync(found.path, join(path, '..')));
}

/** A test file and the files of `test` that it imports, at any depth. */
export function filesOf(entry: string): Set<string> {
  const seen = new Set<string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || !path.startsWith(join(ROOT, 'test')) || !path.endsWith('.ts')) continue;
    seen.add(path);
    queue.push(...importsOf(path));
  }
  return seen;
}

/** The servers that a test file needs: those whose support file it imports. */
export function serversNeeded(entry: string): Set<ServerName> {
  const servers = [...filesOf(entry)].flatMap((path) => SUPPORT.get(path) ?? []);
  return new Set(servers);
}

/** Suites of minutes, run by a command of their own and by nothing else. */
const NAMED_ONLY = ['test/compat/', 'test/console/', 'test/lake/', 'test/pooler/'];

function matches(path: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return !NAMED_ONLY.some((folder) => path.startsWith(folder));
  return wanted.some((argument) => {
    const asPath = relative(ROOT, join(ROOT, argument));
    if (existsSync(join(ROOT, asPath))) return path === asPath || path.startsWith(`${asPath}/`);
    return path.includes(argument);
  });
}

/** Every test file that fits one of the arguments (a file, a folder or a part of a path). */
export function selectTests(wanted: readonly string[]): TestFile[] {
  return [...new Glob('test/**/*.test.ts').scanSync({ cwd: ROOT })]
    .filter((path) => !path.includes('/node_modules/'))
    .filter((path) => matches(path, wanted))
    .toSorted()
    .map((path) => ({
      path,
      needs: serversNeeded(join(ROOT, path)),
      serial: path.endsWith('.serial.test.ts'),
    }));
}
