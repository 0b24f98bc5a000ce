import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { $ } from 'bun';
import {
  compileModules,
  findCompiler,
  type Kotlin,
  SHORT_LIVED,
} from '../../../clients/compile.ts';
import { hashOfSources, jarOf, kotlinModules, stubsOf } from '../../../clients/kotlin.ts';

const ROOT = join(import.meta.dir, '../../..');
const CLIENT = join(ROOT, 'clients/kotlin');
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'mobile-control-plane/kotlin-built',
);

const MAIN = 'controlplane.MainKt';

/** Kotlin's compiler and Java; null after saying that there is none. */
export function findKotlin(): Kotlin | null {
  const found = findCompiler();
  if (!found)
    console.log('not run: no Kotlin here (`.ci/tools` installs its compiler where Java is)');
  return found;
}

/** The examples of docs/clients.md in Kotlin: the first event, and asking for a name. */
export function documentedKotlin(): string[] {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  return [...page.matchAll(/```kotlin\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

const testsOf = (module: string): string[] => {
  const folder = join(CLIENT, module, 'test');
  return existsSync(folder)
    ? readdirSync(folder)
        .toSorted()
        .map((name) => join(folder, name))
    : [];
};

/** The jars that the service serves; `internal` is open to tests. */
const JARS = kotlinModules().modules.map(({ name }) => jarOf(name));

/** The tests' program and the documented examples, compiled once for the same sources and jars. */
export async function buildKotlin({ compiler, library }: Kotlin): Promise<string> {
  const examples = documentedKotlin();
  const sources = kotlinModules().modules.flatMap(({ name }) => [
    ...testsOf(name),
    ...stubsOf(name),
  ]);
  const hash = createHash('sha256').update(examples.join('\n'));
  for (const path of [...JARS, ...sources])
    hash.update(`${path.slice(ROOT.length)}\n`).update(readFileSync(path));
  const built = join(CACHE, hash.digest('hex').slice(0, 24));
  const jar = join(built, 'tests.jar');
  if (existsSync(jar)) return jar;
  mkdirSync(built, { recursive: true });
  const documented = examples.map((_, n) => join(built, `Documented${n}.kt`));
  for (const [n, path] of documented.entries()) await Bun.write(path, examples[n] ?? '');
  const made = join(built, `${crypto.randomUUID()}.jar`);
  const options = [
    '-no-reflect',
    '-no-stdlib',
    '-Werror',
    '-module-name',
    'tests',
    '-jvm-target',
    '17',
  ];
  const against = ['-cp', [...JARS, library].join(delimiter), `-Xfriend-paths=${JARS.join()}`];
  const run = await $`${compiler} ${sources} ${documented} ${options} ${against} -d ${made}`
    .env({ ...process.env, JAVA_TOOL_OPTIONS: SHORT_LIVED })
    .nothrow()
    .quiet();
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  // Kotlin's compiler reads Java's sources and makes no classes of them.
  const stubs = sources.filter((path) => path.endsWith('.java'));
  const javac = ['javac', '--release', '8', '-Xlint:-options', '-d', join(built, 'stubs')];
  if (Bun.which('javac')) await $`${javac} ${stubs}`.quiet();
  renameSync(made, jar);
  return jar;
}

/** Names of jars that the compiler makes differently; asked once for the same sources and jars. */
export async function otherJars(kotlin: Kotlin): Promise<string[]> {
  const hash = createHash('sha256').update(hashOfSources(kotlinModules()));
  for (const path of JARS) hash.update(readFileSync(path));
  const mark = join(CACHE, `same-${hash.digest('hex').slice(0, 24)}`);
  if (existsSync(mark)) return [];
  const made = await compileModules(kotlin);
  const others = [...made]
    .filter(([name, bytes]) => !readFileSync(jarOf(name)).equals(bytes))
    .map(([name]) => name);
  if (others.length === 0) await Bun.write(mark, '');
  return others;
}

export const classPath = (kotlin: Kotlin, ...parts: string[]): string =>
  [...parts, ...JARS, kotlin.library].join(delimiter);

/** The command that runs the tests' program with these arguments. */
export const kotlinCommand = (kotlin: Kotlin, jar: string, ...rest: string[]): string[] => [
  'java',
  '-XX:TieredStopAtLevel=1',
  '-cp',
  classPath(kotlin, jar),
  MAIN,
  ...rest,
];

/** A program that answers each line of its input by a line. */
export function startAnswering(kotlin: Kotlin, jar: string, main: string) {
  const command = [
    'java',
    '-XX:TieredStopAtLevel=1',
    '-cp',
    classPath(kotlin, jar, join(dirname(jar), 'stubs')),
    main,
  ];
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    ask: async (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
      while (!rest.includes('\n')) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`ended at: ${line}`);
        rest += value;
      }
      const end = rest.indexOf('\n');
      const answer = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return answer;
    },
    stop: () => child.kill(),
  };
}
