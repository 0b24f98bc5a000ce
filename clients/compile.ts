import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import {
  hashOfSources,
  jarOf,
  KOTLIN_VERSION,
  type KotlinModule,
  kotlinModules,
  sourcesOf,
  stubFolderOf,
  writeKotlinModules,
} from './kotlin.ts';
import { zipOf } from './zip.ts';

/** Where `.ci/tools` puts the compiler. */
const TOOLS = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'mobile-control-plane/tools',
);

/** Half the time for a Java that ends within seconds. */
export const SHORT_LIVED = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

export type Kotlin = { compiler: string; library: string };

/** Kotlin's compiler, of the one release that the kept jars are made with; null where there is none. */
export function findCompiler(): Kotlin | null {
  const compiler = join(TOOLS, 'bin/kotlinc');
  const library = join(TOOLS, `kotlin-${KOTLIN_VERSION}/lib/kotlin-stdlib.jar`);
  return existsSync(compiler) && existsSync(library) && Bun.which('java')
    ? { compiler, library }
    : null;
}

const manifest = (module: string) =>
  `Manifest-Version: 1.0\r\nAutomatic-Module-Name: controlplane.${module}\r\n\r\n`;

/** The classes of a folder as a jar, the manifest first. */
function jarFrom(folder: string, module: string): Uint8Array<ArrayBuffer> {
  const classes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name))] as const);
  return zipOf([['META-INF/MANIFEST.MF', Buffer.from(manifest(module))], ...classes]);
}

const element = (name: string, path: string) => `<${name} path="${path}"/>`;

/** A module as the compiler's own build file has it; those of one file cost one start of Java. */
function buildOf({ name, needs }: KotlinModule, folder: string, library: string): string {
  const against = needs.map((need) => join(folder, need));
  const stub = stubFolderOf(name);
  return [
    `<module name="control-plane-${name}" type="java-production" outputDir="${join(folder, name)}">`,
    ...sourcesOf(name).map(([, path]) => element('sources', path)),
    ...(stub ? [element('javaSourceRoots', stub)] : []),
    ...[library, ...against].map((path) => element('classpath', path)),
    ...against.map((path) => element('friendDir', path)),
    '</module>',
  ].join('\n');
}

async function compileTogether(kotlin: Kotlin, modules: KotlinModule[], folder: string) {
  const file = join(folder, 'modules.xml');
  const builds = modules.map((module) => buildOf(module, folder, kotlin.library));
  await Bun.write(file, `<modules>\n${builds.join('\n')}\n</modules>\n`);
  // Classes of what Android's oldest tools read.
  const options = ['-no-reflect', '-no-stdlib', '-Werror', '-jvm-target', '1.8'];
  const run = await $`${kotlin.compiler} -Xbuild-file=${file} ${options}`
    .env({ ...process.env, JAVA_TOOL_OPTIONS: SHORT_LIVED })
    .nothrow()
    .quiet();
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
}

/** The jars of all modules, by name: the same bytes for the same sources. */
export async function compileModules(
  kotlin: Kotlin,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const folder = mkdtempSync(join(tmpdir(), 'kotlin-modules-'));
  const { modules } = kotlinModules();
  try {
    await compileTogether(
      kotlin,
      modules.filter(({ needs }) => needs.length === 0),
      folder,
    );
    await compileTogether(
      kotlin,
      modules.filter(({ needs }) => needs.length > 0),
      folder,
    );
    return new Map(modules.map(({ name }) => [name, jarFrom(join(folder, name), name)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const raised = (version: string) => version.replace(/\d+$/, (patch) => String(Number(patch) + 1));

/** The documents name the version that a reader copies. */
async function nameVersion(from: string, to: string): Promise<void> {
  const page = Bun.file(join(import.meta.dir, '../docs/clients.md'));
  const text = await page.text();
  const named = /(controlplane:control-plane-[a-z]+:)([^"]+)/g;
  await page.write(text.replaceAll(named, (all, name, of) => (of === from ? `${name}${to}` : all)));
}

// A host of the service has no compiler, so the jars are kept. Other sources are another version.
if (import.meta.main) {
  const kotlin = findCompiler();
  if (!kotlin) throw new Error('There is no Kotlin compiler here: `.ci/tools` installs it.');
  const modules = kotlinModules();
  const sources = hashOfSources(modules);
  const isFirst = modules.sources === '';
  if (sources !== modules.sources) {
    const version = isFirst ? modules.version : raised(modules.version);
    await writeKotlinModules({ ...modules, sources, version });
    await nameVersion(modules.version, version);
  }
  for (const [name, bytes] of await compileModules(kotlin)) await Bun.write(jarOf(name), bytes);
}
