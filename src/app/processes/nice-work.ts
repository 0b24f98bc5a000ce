import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { SECOND_MS, sleep } from '../../shared/time.ts';

/** Below questions (5), for each thread. */
const NICENESS = 10;
const LOOK_EVERY_MS = 5 * SECOND_MS;
const TASKS = '/proc/self/task';

/** Threads of Bun's pool run DuckDB, whose own threads inherit the name. */
function makeNice(id: string): boolean {
  try {
    const isOfPool = readFileSync(`${TASKS}/${id}/comm`, 'utf8').startsWith('Bun Pool');
    if (isOfPool) setPriority(Number(id), NICENESS);
    return isOfPool;
  } catch {
    return false;
  }
}

export async function keepWorkNice(signal: AbortSignal): Promise<void> {
  if (process.platform !== 'linux') return;
  const nice = new Set<string>();
  while (!signal.aborted) {
    for (const id of readdirSync(TASKS)) if (!nice.has(id) && makeNice(id)) nice.add(id);
    await sleep(LOOK_EVERY_MS, signal);
  }
}
