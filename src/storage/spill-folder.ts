import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../shared/time.ts';
import { ofThisProcess, removeLeftovers } from './leftovers.ts';

const QUIET_DAYS = 7;
/** Also those of earlier releases; processes of questions have folders beside them. */
const OF_PROCESS = /~|^[a-z0-9-]+\..+\.\d+$/;
const own = new Set<string>();
process.on('exit', () => {
  for (const dir of own) rmSync(dir, { recursive: true, force: true });
});

/** Other hosts take what is quiet for left behind. */
function touchOwn(): void {
  const now = new Date();
  for (const dir of own) if (existsSync(dir)) utimesSync(dir, now, now);
}

/** Removed at exit, or by the next process that asks for one. */
export function spillFolder(dataDir: string, name: string): string {
  const parent = join(dataDir, 'tmp');
  removeLeftovers(parent, Date.now() - QUIET_DAYS * DAY_MS, OF_PROCESS);
  const dir = join(parent, ofThisProcess(name));
  if (own.size === 0) setInterval(touchOwn, DAY_MS).unref();
  own.add(dir);
  return dir;
}
