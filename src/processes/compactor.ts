import { createDeps } from '../deps.ts';
import { compactForever, openCompaction } from '../modules/events/compaction/loop.ts';
import { runProcess } from './run.ts';

await runProcess('compactor', async ({ config }) => {
  const deps = await createDeps(config, 'compactor');
  const stopping = new AbortController();
  const loop = compactForever(await openCompaction(deps), stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await loop;
      await deps.close();
    },
  };
});
