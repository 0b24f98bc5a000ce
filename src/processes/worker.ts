import { createDeps } from '../deps.ts';
import { sweepForever } from '../modules/outbox/sweep.ts';
import { reconcileForever } from '../temporal/reconcile.ts';
import { startWorker } from '../temporal/worker.ts';
import { runProcess } from './run.ts';

await runProcess('worker', async ({ config }) => {
  const deps = await createDeps(config, 'worker');
  const worker = await startWorker(deps);
  const stopping = new AbortController();
  const loops = [sweepForever(deps, stopping.signal), reconcileForever(deps, stopping.signal)];
  worker.done.catch((error: unknown) => {
    deps.log.fatal({ err: error }, 'The Temporal worker failed');
    process.exit(1);
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([...loops, worker.stop()]);
      await deps.close();
    },
  };
});
