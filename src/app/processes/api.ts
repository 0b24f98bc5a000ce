import { removeCompactedForever, watchBacklog } from '../../event-store/append.ts';
import { firstAccountDetails } from '../../modules/identity/index.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { createDeps } from '../deps.ts';
import { workflowDetails } from '../prepare-temporal.ts';
import { serve } from '../serve.ts';
import { runProcess } from './run.ts';

const LAST_SHIPPING_MS = SECOND_MS;

void runProcess('api', async ({ config }) => {
  const deps = await createDeps(config, 'api');
  const server = await serve(deps);
  const stopping = new AbortController();
  const { log } = deps;
  const { logDir } = config.events;
  const loops = [
    deps.shipper.shipForever(stopping.signal),
    watchBacklog({ logDir, log }, stopping.signal),
    removeCompactedForever({ logDir, log, sql: deps.sql }, stopping.signal),
  ];
  return {
    details: {
      address: server.address,
      ...(await firstAccountDetails(deps)),
      ...(await workflowDetails(deps)),
    },
    sql: deps.sql,
    stop: async () => {
      await server.stop();
      stopping.abort();
      await deps.close();
      // The last segment was just sealed; otherwise the next start ships it.
      const shipped = Promise.all(loops).then(() => deps.shipper.ship());
      await withTimeout(shipped, LAST_SHIPPING_MS).catch(() => 0);
    },
  };
});
