import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';
import { BUNDLES, bundleName, hashFile, isComplete, MANIFEST, ROOT } from './find.ts';
import { sourcePlaces } from './source-places.ts';

const PROCESSES = join(ROOT, 'src/app/processes');
const SANDBOX = join(ROOT, 'src/sql/sandbox');
const KEPT = 3;

async function removeOld(): Promise<void> {
  const found = await Promise.all(
    (await readdir(BUNDLES)).map(async (name) => {
      const path = join(BUNDLES, name);
      return { path, builtAt: (await stat(path)).mtimeMs };
    }),
  );
  const old = found.toSorted((one, other) => other.builtAt - one.builtAt).slice(KEPT);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  await file.writeFile(content);
  await file.sync();
  await file.close();
}

const SourceMap = Type.Object(
  { sources: Type.Array(Type.String()) },
  { additionalProperties: true },
);
const sourceMap = parser(SourceMap, 'source map');

/** The sources are on disk. Bun ignores a map without `sourcesContent`. */
function withoutContent(text: string): string {
  const { sources, ...map } = sourceMap.parse(JSON.parse(text));
  return JSON.stringify({
    ...map,
    sources: sources.map((path) => join(ROOT, path)),
    sourcesContent: sources.map(() => ''),
  });
}

async function buildInto(folder: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [
      join(ROOT, 'src/entry/server.ts'),
      ...['compactor.ts', 'query.ts'].map((name) => join(PROCESSES, name)),
      ...['enter.ts', 'child.ts'].map((name) => join(SANDBOX, name)),
    ],
    naming: '[name].[ext]',
    target: 'bun',
    format: 'cjs',
    bytecode: true,
    minify: { syntax: true, whitespace: true },
    sourcemap: 'linked',
    plugins: [sourcePlaces],
  });
  const hashes: Record<string, string> = {};
  for (const output of outputs) {
    const name = output.path.slice(output.path.lastIndexOf('/') + 1);
    const isMap = output.kind === 'sourcemap';
    const content = isMap
      ? withoutContent(await output.text())
      : new Uint8Array(await output.arrayBuffer());
    await write(join(folder, name), content);
    hashes[name] = hashFile(join(folder, name));
  }
  await write(join(folder, MANIFEST), JSON.stringify(hashes));
}

export async function buildBundle(): Promise<string> {
  const target = join(BUNDLES, bundleName());
  if (isComplete(target)) return target;
  const staging = `${target}.${process.pid}`;
  await mkdir(staging, { recursive: true });
  try {
    await buildInto(staging);
    if (isComplete(target)) return target;
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  await removeOld();
  return target;
}

if (import.meta.main) await buildBundle();
