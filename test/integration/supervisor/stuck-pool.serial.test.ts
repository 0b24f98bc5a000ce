import { afterAll, expect, test } from 'bun:test';
import { bootstrapClient } from '../../support/crash-client.ts';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { startInstance } from '../../support/instance.ts';
import { connectTo, testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

/** More than the API has connections. */
const ASKING = 60;
const API_CONNECTIONS = 20;

const database = await testDatabase();
const proxy = await cuttableProxy(database.url);
const env = {
  DATABASE_URL: proxy.url,
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
  SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
  RATE_LIMIT_SCALE: '1000',
};
const instance = await startInstance({ env });
afterAll(() => instance.stop());
// A command that is waited for stops this process, and the proxy in it.
const client = bootstrapClient(instance, 'stuck', { ...env, DATABASE_URL: database.url });
const keeper = connectTo(database.url, { maxConnections: 1, applicationName: 'stuck-test' });
afterAll(() => keeper.end());

const waiting = async (): Promise<number> => {
  const rows = await database.sql`
    SELECT 1 FROM pg_stat_activity
    WHERE application_name LIKE 'control-plane-api%' AND wait_event_type = 'Lock'
      AND datname = current_database()`;
  return rows.length;
};

test('an API whose connections have all gone silent is started again, and answers', async () => {
  const before = instance.children();
  const asked: Promise<unknown>[] = [];
  await keeper.begin(async (tx) => {
    await tx`LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE`;
    for (let n = 0; n < ASKING; n += 1) {
      asked.push(client.once('GET', '/v1/webhooks').catch(() => undefined));
    }
    await until('every connection of the pool is in use', async (saw) => {
      const count = await waiting();
      saw(count);
      return count === API_CONNECTIONS;
    });
    // As by a router that forgets them: PostgreSQL and new connections are as always.
    proxy.strand((said) => said.includes('control-plane-api') && said.includes('webhooks'));
  });
  await until('the supervisor starts the API again', (saw) => {
    const { api } = instance.children();
    saw(api);
    return api !== undefined && api !== before.api;
  });
  await until('it answers', async (saw) => {
    const { status } = await client.once('GET', '/v1/webhooks').catch(() => ({ status: 0 }));
    saw(status);
    return status === 200;
  });
  await Promise.all(asked);
  expect(instance.log()).toContain('no database connection was returned to the pool');
  const { api: _, ...others } = before;
  expect(instance.children()).toMatchObject(others);
});
