import { serveSql } from '../../sql/sandbox/serve.ts';
import { createProcessMetrics } from '../../observability/metrics.ts';
import { startQueries } from '../../query/start.ts';
import { createEventDeps } from '../event-deps.ts';
import { runProcess } from './run.ts';

void runProcess('query', async ({ config, index }) => {
  const deps = createEventDeps(config, 'query');
  const server = await startQueries(deps, index);
  const sqlServer = serveSql({ ...deps, hot: server.hot }, index);
  return {
    sql: deps.sql,
    registry: createProcessMetrics(index === 0 ? 'query' : `query-${index}`),
    stop: async () => {
      await sqlServer.stop();
      await server.stop();
      await deps.close();
    },
  };
});
