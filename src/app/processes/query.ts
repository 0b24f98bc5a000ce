import { startQueries } from '../../query/start.ts';
import { createDeps } from '../deps.ts';
import { runProcess } from './run.ts';

await runProcess('query', async ({ config, index }) => {
  const deps = await createDeps(config, 'query');
  const server = await startQueries(deps, index);
  return {
    stop: async () => {
      await server.stop();
      await deps.close();
    },
  };
});
