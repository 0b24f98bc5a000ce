import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { loadConfig } from '../../src/config.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { clusterOptions } from '../../src/temporal/connection-options.ts';

/** A worker with the settings of the service's own, and nothing but the one-row workflow. */
Runtime.install({ logger: new DefaultLogger('ERROR') });
const config = loadConfig();
const sql = createSql(config.databaseUrl ?? '', { maxConnections: 10, applicationName: 'bench' });
const worker = await Worker.create({
  connection: await NativeConnection.connect(clusterOptions(config)),
  namespace: config.temporal.namespace,
  taskQueue: 'bench',
  workflowsPath: join(import.meta.dir, 'workflow.ts'),
  activities: {
    writeRow: async (id: string) => {
      await sql`INSERT INTO bench_rows (id, written_at) VALUES (${id}, ${new Date()})`;
    },
  },
  maxCachedWorkflows: 200,
  maxConcurrentActivityTaskExecutions: 40,
});
process.on('SIGTERM', () => worker.shutdown());
process.send?.({ details: { address: '' } });
await worker.run();
process.exit(0);
