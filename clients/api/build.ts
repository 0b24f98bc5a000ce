import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';

const here = import.meta.dir;

/** One ES module for Bun, Node and browsers. */
export async function bundle(): Promise<string> {
  const built = await Bun.build({ entrypoints: [join(here, 'src/index.ts')], target: 'browser' });
  const [output] = built.outputs;
  if (!built.success || !output) throw new Error(`Cannot bundle: ${built.logs.join('\n')}`);
  return output.text();
}

/** Makes `dist`: the module and its types. */
export async function buildApiClient(): Promise<void> {
  const dist = join(here, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await Bun.write(join(dist, 'index.js'), await bundle());
  await $`bunx tsc -p ${join(here, 'tsconfig.build.json')}`.cwd(here);
}

if (import.meta.main) await buildApiClient();
