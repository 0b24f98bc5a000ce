import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = join(import.meta.dir, 'kotlin');
const MODULES = join(HERE, 'modules.json');

export const KOTLIN_VERSION = '2.1.0';

export type KotlinModule = {
  /** The folder of its sources, and the end of the artifact's name. */
  name: string;
  description: string;
  /** Modules that it is compiled against, in which `internal` is open to it. */
  needs: string[];
};

export type KotlinModules = {
  /** Raised by each compilation of other sources: a Maven repository never changes a version. */
  version: string;
  /** The SHA-256 of the sources that the kept jars are made of. */
  sources: string;
  modules: KotlinModule[];
};

export function kotlinModules(): KotlinModules {
  const read: KotlinModules = JSON.parse(readFileSync(MODULES, 'utf8'));
  return read;
}

/** Lists of names on a line each, as the formatter has them. */
export function writeKotlinModules(modules: KotlinModules) {
  const text = JSON.stringify(modules, null, 2);
  const lists = /\[\s*((?:"[a-z]+",?\s*)*)\]/g;
  const short = text.replace(
    lists,
    (_, names: string) => `[${names.trim().replaceAll(/\s+/g, ' ')}]`,
  );
  return Bun.write(MODULES, `${short}\n`);
}

export const jarOf = (module: string): string => join(HERE, 'jars', `control-plane-${module}.jar`);

/** The sources of a module by their path under its `src`, sorted. */
export function sourcesOf(module: string): [name: string, path: string][] {
  const folder = join(HERE, module, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.kt'))
    .map((name): [string, string] => [name.replaceAll('\\', '/'), join(folder, name)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What a module is compiled against and a phone has: Java's sources, in no jar. */
export function stubFolderOf(module: string): string | null {
  const folder = join(HERE, module, 'stub');
  return existsSync(folder) ? folder : null;
}

export function stubsOf(module: string): string[] {
  const folder = stubFolderOf(module);
  if (!folder) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** What the jars hang on. */
export function hashOfSources({ modules }: KotlinModules): string {
  const hash = createHash('sha256').update(KOTLIN_VERSION);
  for (const { name, needs } of modules) {
    hash.update(`\n${name} ${needs.join()}\n`);
    for (const [file, path] of sourcesOf(name)) hash.update(`${file}\n${readFileSync(path)}\n`);
    for (const path of stubsOf(name)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}
