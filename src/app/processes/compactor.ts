import { compactForever, type OnStored, openCompactor } from '../../event-store/keep.ts';
import { announceEvents } from '../../modules/webhooks/index.ts';
import { createProcessMetrics } from '../../observability/metrics.ts';
import { createEventDeps } from '../event-deps.ts';
import { runProcess } from './run.ts';

void runProcess('compactor', async ({ config }) => {
  const deps = createEventDeps(config, 'compactor');
  const stopping = new AbortController();
  const onStored: OnStored = (tx, rows) => announceEvents(tx, deps.clock, rows);
  const loop = compactForever(await openCompactor({ ...deps, onStored }), stopping.signal);
  // Only segments of this host's dead processes.
  void deps.shipper.shipForever(stopping.signal);
  return {
    sql: deps.sql,
    registry: createProcessMetrics('compactor'),
    stop: async () => {
      stopping.abort();
      await loop;
      await deps.close();
    },
  };
});
