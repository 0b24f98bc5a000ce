import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';

const here = import.meta.dir;

/** Makes `dist`: one ES module for Bun, Node and browsers, and the types. */
export async function buildApiClient(): Promise<void> {
  const dist = join(here, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const built = await Bun.build({
    entrypoints: [join(here, 'src/index.ts')],
    outdir: dist,
    target: 'browser',
  });
  if (!built.success) throw new Error(`Cannot bundle: ${built.logs.join('\n')}`);
  await $`bunx tsc -p ${join(here, 'tsconfig.build.json')}`.cwd(here);
}

if (import.meta.main) await buildApiClient();
