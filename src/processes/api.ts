import { createDeps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { runProcess } from './run.ts';

await runProcess('api', async ({ config }) => {
  const deps = await createDeps(config, 'api');
  const server = await serve(deps);
  return {
    details: { address: server.address },
    stop: async () => {
      await server.stop();
      await deps.close();
    },
  };
});
