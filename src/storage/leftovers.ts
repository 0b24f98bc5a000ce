import { existsSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processStart } from '../shared/process-identity.ts';
import { isMissing } from './files.ts';

const startOf = (pid: number) => processStart(pid)?.replaceAll(/\W+/g, '-');

const NAMESPACE = '/proc/self/ns/pid';
const namespace = existsSync(NAMESPACE) ? readlinkSync(NAMESPACE).replaceAll(/\D/g, '') : '';
/** Containers share a folder, and hostnames at times, but not their process ids. */
const HOST = `${hostname()}-${namespace}`;
const OWN = [HOST, process.pid, startOf(process.pid) ?? ''].join('~');

export const ofThisProcess = (name: string): string => `${OWN}~${name}`;

function isAbandoned(path: string, name: string, quietSinceMs: number): boolean {
  const [host = '', pid = '', start = ''] = name.split('~');
  if (host === HOST) return startOf(Number(pid)) !== start;
  return statSync(path).mtimeMs < quietSinceMs;
}

/** Files of killed processes, and old ones of other hosts. */
export function removeLeftovers(dir: string, quietSinceMs: number, names = /./): number {
  let removed = 0;
  for (const name of namesIn(dir)) {
    if (!names.test(name)) continue;
    const path = join(dir, name);
    try {
      if (!isAbandoned(path, name, quietSinceMs)) continue;
      rmSync(path, { recursive: true, force: true });
      removed += 1;
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }
  return removed;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}
