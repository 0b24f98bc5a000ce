import { afterAll } from 'bun:test';
import { compactAll } from '../../src/event-store/compaction/loop.ts';
import { EventLog } from '../../src/event-store/log/event-log.ts';
import { openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { append } from './event-store.ts';
import { event, quietLog } from './events.ts';
import { testDatabase } from './postgres.ts';
import { startTestService } from './service.ts';

/** A service on a database of its own whose events are compacted when the test says so. */
export async function startEventService(env: Record<string, string> = {}) {
  const database = await testDatabase();
  const service = await startTestService(database, { env });
  const { deps } = service;
  const compaction = await openCompactor(deps);
  afterAll(() => compaction.connection.closeSync());
  return {
    ...service,
    ctx: { deps, requestId: 'test' },
    compaction,
    /** Takes so many events of an app and writes them into files. */
    store: async (appId: string, count: number) => {
      const log = await EventLog.open({ dir: deps.config.events.logDir, log: quietLog() });
      const events = Array.from({ length: count }, (_, i) => event({ id: `${appId}-${1000 + i}` }));
      await append(log, appId, events);
      await log.close();
      await compactAll(compaction);
    },
  };
}

export type EventService = Awaited<ReturnType<typeof startEventService>>;
