import { describe, expect, test } from 'bun:test';
import type { Deps } from '../../../src/context.ts';
import { syncAllOnce } from '../../../src/modules/sales/analytics/sync-all.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { placeConnection, startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const SECRET = 'the-cron-secret-of-this-test';
const database = await testDatabase();
const temporal = await testTemporal();
const suite = await startStoreSuite(
  database,
  { retentionDays: 8 },
  { temporal, env: { CRON_SECRET: SECRET, FX_RATES_URL: 'file:///nowhere/rates.csv' } },
);
await startTestWorker(suite.deps, temporal);
const call = (headers: Record<string, string> = { 'x-cron-secret': SECRET }) =>
  suite.call('/internal/analytics/sync-all', { method: 'POST', headers });

describe('the scheduler', () => {
  test.each([
    {},
    { 'x-cron-secret': '' },
    { 'x-cron-secret': 'wrong' },
    { 'x-cron-secret': `${SECRET} ` },
  ])('without the secret (%o) finds nothing', async (headers) => {
    // A fetch trims header values, so a trailing space cannot make a difference.
    const { status, body } = await call(headers as Record<string, string>);
    if (headers['x-cron-secret']?.trim() === SECRET) expect(status).toBe(200);
    else expect([status, body.error.code]).toEqual([404, 'not_available']);
  });

  test.each([
    ['no body', undefined, {}],
    ['JSON', '{"a":1}', {}],
    ['broken JSON', '{', {}],
    ['another media type', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['far too much', 'x'.repeat(80_000), {}],
    ['a page of another site', '{}', { origin: 'https://evil.example' }],
  ])(
    '%s makes no difference to who does not know it, nor to who does',
    async (_, rawBody, rest) => {
      const send = (headers: Record<string, string>) =>
        suite.call(
          `/internal/analytics/sync-all${headers['x-cron-secret'] === SECRET ? '' : '?x=1'}`,
          {
            method: 'POST',
            headers: { ...headers, ...rest },
            ...(rawBody !== undefined && { rawBody }),
          },
        );
      const [bare, refused] = [await call({}), await send({ 'x-cron-secret': 'wrong' })];
      expect([refused.status, refused.text]).toEqual([404, bare.text]);
      expect((await send({ 'x-cron-secret': SECRET })).status).toBe(200);
    },
  );

  test('an organization key does not open it either', async () => {
    const org = await createTestOrg(suite);
    expect((await call(org.key)).status).toBe(404);
  });

  test('wakes every connected organization, and one in trouble stops no other', async () => {
    const orgs = [
      await createTestOrg(suite),
      await createTestOrg(suite),
      await createTestOrg(suite),
    ];
    for (const { orgId } of orgs) await placeConnection(suite, orgId);
    // A key that the store does not know (any more).
    await database.sql`
      UPDATE store_connections SET key_id = 'NOSUCHKEY0' WHERE org_id = ${orgs[1]!.orgId}`;
    const { status, body } = await call();
    expect(status).toBe(200);
    expect(body.organizations).toBe(3);
    expect(body.synced + body.deferred + body.errors.length).toBe(3);
    await until('all have run', async (saw) => {
      const runs = await database.sql`SELECT 1 FROM store_syncs WHERE last_run_at IS NOT NULL`;
      saw(runs.length);
      return runs.length === 3;
    });
    const states = await database.sql<{ org_id: string; status: string }[]>`
      SELECT org_id, status FROM store_connections`;
    const status_ = new Map(states.map((row) => [row.org_id, row.status]));
    expect(orgs.map(({ orgId }) => status_.get(orgId))).toEqual([
      'connected',
      'invalid',
      'connected',
    ]);
    const facts = await database.sql<{ org_id: string; rows: number }[]>`
      SELECT org_id, count(*) AS rows FROM store_facts GROUP BY org_id`;
    expect(facts).toHaveLength(2);
    expect(facts[0]?.rows).toBe(facts[1]?.rows);
  });

  test('is told which organizations the store refused, and why; they do not count as synced', async () => {
    // What happened to the three before is known by now.
    const { body } = await call();
    const [refused] = await database.sql<{ org_id: string }[]>`
      SELECT org_id FROM store_connections WHERE status = 'invalid'`;
    expect(body).toMatchObject({ organizations: 3, synced: 2, deferred: 0 });
    const errors = [
      {
        orgId: refused!.org_id,
        message: expect.stringContaining('does not accept the key any more'),
      },
    ];
    expect(body.errors).toEqual(errors);
    // Asked again with no day due, the store is not asked; the key is refused all the same.
    expect((await call()).body).toMatchObject({ synced: 2, errors });
  });

  test('is answered in time when the workflow service does not answer', async () => {
    const silent = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: () => undefined },
    });
    const alone = await startTestService(database, {
      env: { CRON_SECRET: SECRET, TEMPORAL_ADDRESS: `127.0.0.1:${silent.port}` },
    });
    const { status, body } = await alone.call('/internal/analytics/sync-all', {
      method: 'POST',
      headers: { 'x-cron-secret': SECRET },
    });
    silent.stop(true);
    expect(status).toBe(200);
    expect(body).toMatchObject({ organizations: 3, synced: 0, deferred: 0 });
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual(
      Array(3).fill(expect.stringContaining('cannot be reached')),
    );
  });

  test('called twice at once it is one run', async () => {
    const [first, second] = await Promise.all([call(), call()]);
    expect(first.body).toEqual(second.body);
  });
});

describe('the hourly waking', () => {
  test('is done by one process of all', async () => {
    const woken: string[] = [];
    const log = { ...suite.deps.log, info: (_: unknown, message: string) => woken.push(message) };
    const hosts = Array.from({ length: 5 }, () => ({ ...suite.deps, log }) as unknown as Deps);
    await Promise.all(hosts.map(syncAllOnce));
    expect(woken).toEqual(['organizations woken']);
    await database.sql`UPDATE schedule_turns SET taken_at = taken_at - interval '1 hour'`;
    await syncAllOnce(hosts[0]!);
    expect(woken).toHaveLength(2);
  });
});
