import { afterAll } from 'bun:test';
import type { Deps } from '../../src/deps.ts';
import { compactAll, openCompaction } from '../../src/modules/events/compaction/loop.ts';
import { startQueries } from '../../src/query/start.ts';

/** Answers the service's questions from this process; the socket is that of the suite's folder. */
export async function startTestQueries(deps: Deps): Promise<void> {
  const server = await startQueries(deps, 0);
  afterAll(() => server.stop());
}

/** Turns everything sealed into Parquet, as the compactor does. */
export async function compactEverything(deps: Deps): Promise<number> {
  return compactAll(await openCompaction(deps));
}
