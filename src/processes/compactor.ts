import { createDeps } from '../deps.ts';
import { compactForever, openCompaction } from '../modules/events/compaction/loop.ts';
import { runProcess } from './run.ts';

await runProcess('compactor', async ({ config }) => {
  const deps = await createDeps(config, 'compactor');
  const stopping = new AbortController();
  const loops = [
    compactForever(await openCompaction(deps), stopping.signal),
    // For processes of this host that are gone; the living ship their own.
    deps.shipper.shipForever(stopping.signal),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      await deps.close();
    },
  };
});
