import { afterAll } from 'bun:test';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { preparePostgres } from '../../src/launcher/embedded/postgres.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { createSql } from '../../src/storage/postgres.ts';
import type { TestDatabase } from './postgres.ts';
import { until } from './until.ts';

/** What a standby has is sound, and the commits since it was made are not there. */
export type FailingOver = TestDatabase & {
  makeStandby: () => Promise<void>;
  failOver: () => Promise<void>;
};

export async function startFailingOver(
  dataDir: string,
  { maxConnections, pool }: { maxConnections: number; pool: number },
): Promise<FailingOver> {
  const [cluster, standby] = [join(dataDir, 'postgres'), join(dataDir, 'standby')];
  const prepare = { dataDir, port: await freePort(), durable: true, maxConnections };
  const { url, start } = await preparePostgres(prepare);
  let server = await start();
  const again = async () => {
    server = await (await preparePostgres(prepare)).start();
  };
  const sql = createSql(url, { maxConnections: pool, applicationName: 'failover' });
  await migrate(sql);
  const close = async () => {
    await sql.end({ timeout: 0 });
    await server.stop(5_000);
    rmSync(dataDir, { recursive: true });
  };
  afterAll(close);
  return {
    ...{ url, directUrl: url, sql, close },
    makeStandby: async () => {
      await server.stop(10_000);
      // Its files belong to the account of PostgreSQL.
      Bun.spawnSync(['cp', '-a', cluster, standby]);
      await again();
    },
    failOver: async () => {
      server.kill('SIGKILL');
      await server.exited;
      rmSync(cluster, { recursive: true });
      renameSync(standby, cluster);
      await again();
      await until('the pool finds it', () => sql`SELECT 1`.catch(() => null));
    },
  };
}
