import { afterAll, expect, test } from 'bun:test';
import { poolStuck } from '../../../src/storage/watch-pool.ts';
import { connectTo, testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase({ isDirect: true });
const token = 'a-token-for-metrics-0123';
const service = await startTestService(database, { env: { METRICS_TOKEN: token } });
const org = await createTestOrg(service);
const operator = connectTo(database.url, { maxConnections: 1, applicationName: 'operator' });
afterAll(() => operator.end());
await operator`SET default_transaction_read_only = off`;
const databaseName = new URL(database.url).pathname.slice(1);

let count = 0;
const write = () => {
  count += 1;
  const body = { slug: `app-${count}`, displayName: 'App' };
  return service.call('/v1/apps', { headers: org.key, body });
};
const postgres = async () => {
  const { body } = await service.call('/v1/status', { headers: org.key });
  return body.dependencies.find(({ name }: { name: string }) => name === 'postgres');
};
const gauge = async () => {
  const headers = { authorization: `Bearer ${token}` };
  const { text } = await service.call('/metrics', { headers });
  return /^dependency_up\{dependency="postgres",role="api"\} (\d)$/m.exec(text)?.[1];
};
/** Of new sessions only, as after a failover; those of before are ended by the server. */
async function becomeReadOnly() {
  await operator.unsafe(`ALTER DATABASE ${databaseName} SET default_transaction_read_only = on`);
  await operator`
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = ${databaseName} AND pid <> pg_backend_pid()`;
}
/** Sessions stay as they began: only new ones write. */
const becomeWritable = () =>
  operator.unsafe(`ALTER DATABASE ${databaseName} RESET default_transaction_read_only`);

test('a database that takes no writes is an outage of writes, said so and found again', async () => {
  expect((await write()).status).toBe(201);
  expect(await postgres()).toMatchObject({ status: 'up' });
  await becomeReadOnly();
  const refused = await until('the server refuses a write', async () => {
    const answer = await write();
    expect(answer.status).toBe(503);
    return answer.body.error.code === 'unavailable' ? answer : null;
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const known = await postgres();
  expect(known).toMatchObject({ status: 'down' });
  expect(known.detail).toContain('takes no writes');
  await until('the gauge says so', async () => (await gauge()) === '0');
  expect((await service.call('/v1/apps', { headers: org.key })).status).toBe(200);

  await becomeWritable();
  const answers: number[] = [];
  await until('writes are taken', async () => {
    answers.push((await write()).status);
    return answers.at(-1) === 201;
  });
  expect(answers.slice(0, -1).every((status) => status === 503)).toBe(true);
  await until('the status is up', async () => (await postgres()).status === 'up');
  await until('the gauge too', async () => (await gauge()) === '1');
});

test('connections that only read are ended by the probe', async () => {
  const sql = connectTo(database.url, { maxConnections: 1, applicationName: 'reader' });
  afterAll(() => sql.end());
  await becomeReadOnly();
  const pid = async () => (await sql`SELECT pg_backend_pid() AS pid`)[0]?.pid;
  await until('it reads', () => pid().catch(() => null));
  const before = await pid();
  expect(await pid()).toBe(before);
  const stopped = new AbortController();
  const watch = poolStuck(sql, stopped.signal, 1);
  await until('it has another connection', async () => (await pid()) !== before);
  await becomeWritable();
  await until('it writes', () => sql`CREATE TABLE written (id integer)`.catch(() => null));
  stopped.abort();
  await watch;
});
