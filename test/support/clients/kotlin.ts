import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { $ } from 'bun';

const ROOT = join(import.meta.dir, '../../..');
const CLIENT = join(ROOT, 'clients/kotlin');
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'mobile-control-plane/kotlin-built',
);

const PATH = `${process.env.PATH ?? ''}${delimiter}${join(CACHE, '../tools/bin')}`;
const MAIN = 'controlplane.MainKt';

export type Kotlin = { compiler: string; library: string };

/** Kotlin's compiler and Java; null after saying that there is none. */
export function findKotlin(): Kotlin | null {
  const compiler = Bun.which('kotlinc', { PATH });
  const library = join(CACHE, '../tools/kotlin-2.1.0/lib/kotlin-stdlib.jar');
  if (compiler && Bun.which('java') && existsSync(library)) return { compiler, library };
  console.log('not run: no Kotlin here (`.ci/tools` installs its compiler where Java is)');
  return null;
}

/** The examples of docs/clients.md in Kotlin: the first event, and asking for a name. */
export function documentedKotlin(): string[] {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  return [...page.matchAll(/```kotlin\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.kt'))
    .toSorted()
    .map((name) => join(folder, name));

/** Client, tests and the documented example in one jar, compiled once for the same sources. */
export async function buildKotlin({ compiler }: Kotlin): Promise<string> {
  const examples = documentedKotlin();
  const sources = [
    ...sourcesIn(join(CLIENT, 'events/src')),
    ...sourcesIn(join(CLIENT, 'purchases')),
    ...sourcesIn(join(CLIENT, 'events/test')),
  ];
  const hash = createHash('sha256').update(examples.join('\n'));
  for (const source of sources)
    hash.update(`${source.slice(ROOT.length)}\n${readFileSync(source)}`);
  const built = join(CACHE, hash.digest('hex').slice(0, 24));
  const jar = join(built, 'events.jar');
  if (existsSync(jar)) return jar;
  mkdirSync(built, { recursive: true });
  const documented = examples.map((_, n) => join(built, `Documented${n}.kt`));
  for (const [n, path] of documented.entries()) await Bun.write(path, examples[n] ?? '');
  const made = join(built, `${crypto.randomUUID()}.jar`);
  const options = ['-no-reflect', '-Werror', '-module-name', 'events', '-jvm-target', '17'];
  const run = await $`${compiler} ${sources} ${documented} ${options} -d ${made}`.nothrow().quiet();
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  renameSync(made, jar);
  return jar;
}

export const classPath = (kotlin: Kotlin, ...parts: string[]): string =>
  [...parts, kotlin.library].join(delimiter);

/** The command that runs the tests' program with these arguments. */
export const kotlinCommand = (kotlin: Kotlin, jar: string, ...rest: string[]): string[] => [
  'java',
  '-XX:TieredStopAtLevel=1',
  '-cp',
  classPath(kotlin, jar),
  MAIN,
  ...rest,
];
