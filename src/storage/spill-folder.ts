import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isMissing } from './files.ts';

const OF_PROCESS = /^[a-z0-9-]+\.(.+)\.(\d+)$/;

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true });

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH');
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

/** Containers share a folder, but not their process ids. */
function removeAbandoned(parent: string): void {
  for (const name of namesIn(parent)) {
    const [, host, pid] = OF_PROCESS.exec(name) ?? [];
    if (host === hostname() && !isRunning(Number(pid))) remove(join(parent, name));
  }
}

const own = new Set<string>();
process.on('exit', () => {
  for (const dir of own) remove(dir);
});

/** Removed at exit, or after a kill by the next process that asks for one. */
export function spillFolder(dataDir: string, name: string): string {
  const parent = join(dataDir, 'tmp');
  removeAbandoned(parent);
  const dir = join(parent, `${name}.${hostname()}.${process.pid}`);
  own.add(dir);
  return dir;
}
