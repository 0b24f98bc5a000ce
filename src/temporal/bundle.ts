import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { Glob } from 'bun';
import type { Config } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { DAY_MS } from '../shared/time.ts';

const ROOT = join(import.meta.dir, '../..');
const SOURCES = [
  'workflows/**/*.ts',
  'src/temporal/contracts/**/*.ts',
  'src/temporal/bundle.ts',
  'bun.lock',
  'patches/*',
];

/** Unused bundles of other releases expire. */
const KEPT_DAYS = 30;

async function fingerprint(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const pattern of SOURCES) {
    for (const path of [...new Glob(pattern).scanSync(ROOT)].toSorted()) {
      hasher.update(path).update(await Bun.file(join(ROOT, path)).arrayBuffer());
    }
  }
  return hasher.digest('hex').slice(0, 16);
}

export function buildWorkflowBundle(log: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    workflowInterceptorModules: [join(ROOT, 'workflows/interceptors.ts')],
    payloadConverterPath: join(ROOT, 'src/temporal/contracts/plain-payload.ts'),
    logger: {
      log: (_level, message) => log.trace(message),
      trace: (message) => log.trace(message),
      debug: (message) => log.trace(message),
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  });
}

async function removeOld(folder: string): Promise<void> {
  const before = Date.now() - KEPT_DAYS * DAY_MS;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('workflows-')) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < before) await rm(path, { force: true });
  }
}

async function keep(folder: string, name: string, code: string): Promise<string> {
  const path = join(folder, name);
  const partial = `${path}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await writeFile(partial, code);
  await rename(partial, path);
  await removeOld(folder);
  return path;
}

export const bundleFolders = ({ dataDir, temporal }: Pick<Config, 'dataDir' | 'temporal'>) => [
  join(temporal.cacheDir, 'workflows'),
  join(dataDir, 'cache'),
];

/** Building takes longer than the rest of a start. */
export async function workflowBundlePath(folders: readonly string[], log: Logger): Promise<string> {
  const name = `workflows-${await fingerprint()}.js`;
  for (const folder of folders) {
    if (await Bun.file(join(folder, name)).exists()) return join(folder, name);
  }
  const { code } = await buildWorkflowBundle(log);
  let fault: unknown;
  for (const folder of folders) {
    try {
      return await keep(folder, name, code);
    } catch (thrown) {
      log.debug({ err: thrown, folder }, 'workflow bundle cannot be cached here');
      fault = thrown;
    }
  }
  throw fault;
}
