import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { $ } from 'bun';
import {
  hashOfSources,
  jarOf,
  KOTLIN_VERSION,
  type KotlinModule,
  kotlinModules,
  sourcesOf,
  stubsOf,
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

async function compileModule({ compiler }: Kotlin, module: KotlinModule, folder: string) {
  const { name, needs } = module;
  const against = needs.map((need) => join(folder, need));
  const options = ['-no-reflect', '-Werror', '-module-name', `control-plane-${name}`];
  // What Android's oldest tools read.
  options.push('-jvm-target', '1.8');
  if (against.length > 0) {
    options.push('-cp', against.join(delimiter), `-Xfriend-paths=${against.join()}`);
  }
  const sources = [...sourcesOf(name).map(([, path]) => path), ...stubsOf(name)];
  const run = await $`${compiler} ${options} -d ${join(folder, name)} ${sources}`
    .env({ ...process.env, JAVA_TOOL_OPTIONS: SHORT_LIVED })
    .nothrow()
    .quiet();
  if (run.exitCode !== 0) throw new Error(`${name}: ${run.stderr}`);
}

/** The jars of all modules, by name: the same bytes for the same sources. */
export async function compileModules(
  kotlin: Kotlin,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const folder = mkdtempSync(join(tmpdir(), 'kotlin-modules-'));
  const jars = new Map<string, Uint8Array<ArrayBuffer>>();
  try {
    for (const module of kotlinModules().modules) {
      await compileModule(kotlin, module, folder);
      jars.set(module.name, jarFrom(join(folder, module.name), module.name));
    }
    return jars;
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
