import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { Glob } from 'bun';
import type { Logger } from '../observability/log.ts';

const ROOT = join(import.meta.dir, '../..');
const SOURCES = ['workflows/**/*.ts', 'src/temporal/contracts/**/*.ts', 'bun.lock'];

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

/** Path of the bundle of today's workflows: built once and cached by its contents. */
export async function workflowBundlePath(cacheDir: string, log: Logger): Promise<string> {
  const path = join(cacheDir, `workflows-${await fingerprint()}.js`);
  if (await Bun.file(path).exists()) return path;
  await mkdir(cacheDir, { recursive: true });
  const { code } = await buildWorkflowBundle(log);
  const partial = `${path}.${process.pid}`;
  await Bun.write(partial, code);
  await rename(partial, path);
  return path;
}
