import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ofThisProcess, removeLeftovers } from './leftovers.ts';

const own = new Set<string>();
process.on('exit', () => {
  for (const dir of own) rmSync(dir, { recursive: true, force: true });
});

/** Removed at exit, or by the next process that asks for one. */
export function spillFolder(dataDir: string, name: string): string {
  const parent = join(dataDir, 'tmp');
  removeLeftovers(parent, Number.NEGATIVE_INFINITY);
  const dir = join(parent, ofThisProcess(name));
  own.add(dir);
  return dir;
}
