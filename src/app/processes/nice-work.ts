import { listThreads, setNiceness, threadName } from '../../shared/threads.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';

/** Below questions (5), for each thread. */
const NICENESS = 10;
const LOOK_EVERY_MS = 5 * SECOND_MS;

/** Threads of Bun's pool run DuckDB, whose own threads inherit the name. */
const isOfPool = (thread: number) => threadName(process.pid, thread).startsWith('Bun Pool');

export async function keepWorkNice(signal: AbortSignal): Promise<void> {
  const nice = new Set<number>();
  while (!signal.aborted) {
    for (const thread of listThreads(process.pid)) {
      if (nice.has(thread) || !isOfPool(thread)) continue;
      if (setNiceness(thread, NICENESS)) nice.add(thread);
    }
    await sleep(LOOK_EVERY_MS, signal);
  }
}
