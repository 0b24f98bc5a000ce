import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../context.ts';
import { HotEvents, PropertyUses } from '../event-store/read.ts';
import { SECOND_MS } from '../shared/time.ts';
import { openDuck } from '../storage/duckdb.ts';
import { QueryEngine } from './engine.ts';
import { QUESTIONS } from './kinds.ts';
import { querySocket } from './protocol.ts';
import { openLakeQuestions } from './reading/lake/questions.ts';
import { CountingThreads } from './reading/threads/threads.ts';
import { type QueryServer, serveQueries } from './server.ts';

const TEMP_PER_MEMORY = 4;

export async function startQueries(
  deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>,
  index: number,
  lake = openLakeQuestions(deps),
): Promise<QueryServer & { hot: HotEvents }> {
  const { config, log } = deps;
  const { memoryMb, threads, timeoutSeconds } = config.query;
  const tempDir = join(config.dataDir, 'tmp', `query-${index}`);
  // Left by a killed process.
  rmSync(tempDir, { recursive: true, force: true });
  const duck = await openDuck({
    memoryMb,
    threads,
    tempDir,
    tempLimitMb: memoryMb * TEMP_PER_MEMORY,
  });
  await Promise.all(Object.values(QUESTIONS).map(({ count }) => count()));
  const hot = new HotEvents(deps, config.events.logDir);
  const uses = new PropertyUses(deps.sql, (err) =>
    log.warn({ err }, 'uses of properties could not be kept'),
  );
  const counting = new CountingThreads({ threads });
  const engine = new QueryEngine({
    duck,
    threads: counting,
    hot,
    noteUse: (scope, props) => uses.note(scope, props),
    timeoutMs: timeoutSeconds * SECOND_MS,
    onStuck: () => {
      log.fatal('query ignored its interrupt; exiting the process');
      process.exit(1);
    },
  });
  const socketPath = querySocket(config.runDir, index);
  const server = serveQueries({ engine, lake, socketPath, log });
  const stopping = new AbortController();
  const following = hot.followForever(stopping.signal);
  return {
    hot,
    stop: async () => {
      await server.stop();
      stopping.abort();
      await following;
      await counting.stop();
      await uses.write();
      duck.closeSync();
    },
  };
}
