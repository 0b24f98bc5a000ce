import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Glob } from 'bun';
import type { ProcessRole } from '../../config.ts';
import type { Logger } from '../../observability/log.ts';
import { parser } from '../../shared/schema.ts';

export const ROOT = join(import.meta.dir, '../../..');
export const BUNDLES = join(ROOT, 'node_modules/.cache/service');
export const ENTRIES: Readonly<Record<ProcessRole, string>> = {
  api: 'server',
  worker: 'server',
  compactor: 'compactor',
  query: 'query',
};
export const MANIFEST = 'manifest.json';

const SOURCES = [
  '{src,workflows,activities}/**/*.{ts,json}',
  'clients/**/*.ts',
  '{package.json,bun.lock,tsconfig.json}',
  'patches/*',
];
const UNBUNDLED = /^src\/console\/|node_modules\//;

const Manifest = Type.Record(Type.String(), Type.String());
const manifest = parser(Manifest, MANIFEST);

export const hashFile = (path: string) => Bun.hash(readFileSync(path)).toString(36);

export function bundleName(): string {
  const hasher = new Bun.CryptoHasher('sha256');
  hasher.update(`${Bun.version} ${Bun.revision} ${process.arch} ${ROOT}`);
  const paths = SOURCES.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]);
  for (const path of paths.filter((found) => !UNBUNDLED.test(found)).toSorted()) {
    hasher.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hasher.digest('hex').slice(0, 16);
}

export function isComplete(folder: string): boolean {
  try {
    const hashes = manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')));
    return Object.entries(hashes).every(([name, hash]) => hashFile(join(folder, name)) === hash);
  } catch {
    return false;
  }
}

export function findBundle(log: Pick<Logger, 'warn'>): string | null {
  const folder = join(BUNDLES, bundleName());
  if (!existsSync(folder)) return null;
  if (isComplete(folder)) return folder;
  log.warn({ folder }, 'damaged bundle of the service; running from source until it is rebuilt');
  return null;
}
