import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';

const here = import.meta.dir;

/** Bundles one entry into one minified file; throws when the bundler reports anything. */
export async function bundle(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(here, 'src', entry)],
    minify: true,
    target: 'browser',
    format,
  });
  const [output] = built.outputs;
  if (!built.success || !output)
    throw new Error(`Cannot bundle ${entry}: ${built.logs.join('\n')}`);
  return output.text();
}

/** Makes `dist`: the ES module, the <script> file and the types. */
export async function buildWebClient(): Promise<void> {
  const dist = join(here, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await Bun.write(join(dist, 'index.js'), await bundle('index.ts', 'esm'));
  await Bun.write(join(dist, 'control-plane.js'), await bundle('script.ts', 'iife'));
  await $`bunx tsc -p ${join(here, 'tsconfig.build.json')}`.cwd(here);
}

if (import.meta.main) await buildWebClient();
