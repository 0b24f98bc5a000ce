import { compactForever } from '../../../src/event-store/compaction/loop.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { openEngine } from '../../../src/event-store/parquet/engine.ts';
import { visibleRows } from '../event-store.ts';
import type { Served } from './served.ts';

/** The event files of the service being made meanwhile, and what a query sees of an app. */
export async function openStored({ service, app, org }: Served) {
  const { deps } = service;
  const stopping = new AbortController();
  const compacting = compactForever(await openCompactor(deps), stopping.signal);
  const connection = await openEngine({
    memoryMb: 256,
    threads: 1,
    tempDir: `${service.dataDir}/read-tmp`,
  });
  const hot = new HotEvents(deps, deps.config.events.logDir);
  return {
    rows: () => visibleRows({ hot, connection }, app.appId, org.orgId),
    stop: async () => {
      stopping.abort();
      await compacting;
    },
  };
}
