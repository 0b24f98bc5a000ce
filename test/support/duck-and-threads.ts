import { afterAll } from 'bun:test';
import { CountingThreads } from '../../src/query/reading/threads/threads.ts';
import { TestDuck } from './event-source.ts';

/** DuckDB, and threads with ranges of a few people, so that each of them has several; until the suite ends. */
export async function openDuckAndThreads(threads: number) {
  const duck = await TestDuck.open();
  const together = new CountingThreads({ threads, entriesAtOnce: 3, minRanges: 1 });
  afterAll(async () => {
    await together.stop();
    duck.close();
  });
  await together.ready();
  return { duck, together };
}
