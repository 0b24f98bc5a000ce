import { join } from 'node:path';
import type { Logger } from '../observability/log.ts';
import { niced } from './bun-process.ts';
import { endWithParent } from './embedded/server.ts';

const BUILD = join(import.meta.dir, 'bundle/build.ts');

export function buildLater(log: Logger, stopping: AbortSignal): void {
  const child = Bun.spawn(niced([process.execPath, BUILD]), {
    env: {},
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  child.unref();
  const release = endWithParent(child.pid, { signal: 'SIGKILL' });
  stopping.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  const said = new Response(child.stderr).text();
  void child.exited.then(async (code) => {
    release();
    if (code === 0 || stopping.aborted) return;
    log.info({ because: (await said).trim() }, 'no bundle of the service; it runs from source');
  });
}
