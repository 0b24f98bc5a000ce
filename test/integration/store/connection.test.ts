import { afterEach, describe, expect, test } from 'bun:test';
import pino from 'pino';
import { makeKey } from '../../simulators/store/auth.ts';
import { connectBody } from '../../simulators/store/connect-body.ts';
import { forge, grpcDoor } from '../../support/forgery/doors.ts';
import { keepHistory } from '../../support/history.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestKey, createTestOrg, startTestService } from '../../support/service.ts';
import { startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const database = await testDatabase();
const temporal = await testTemporal();
// A short history keeps the actors' work in this suite small.
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
const suite = await startStoreSuite(
  database,
  { firstDay: '2026-07-01', retentionDays: 30 },
  { temporal, with: () => ({ log }) },
);
await startTestWorker(suite.deps, temporal);
const org = await createTestOrg(suite);

const post = (change: Record<string, unknown> = {}, of = org) =>
  suite.call('/v1/store/connection', { body: connectBody(suite.store, change), headers: of.key });
const get = (of = org) => suite.call('/v1/store/connection', { headers: of.key });
const disconnect = (of = org) =>
  suite.call('/v1/store/connection', { method: 'DELETE', headers: of.key });

afterEach(async () => {
  suite.store.account.trouble.clear();
  suite.store.faults.clear();
  await database.sql`DELETE FROM provider_limits`;
  await disconnect();
});

describe('connecting', () => {
  test('a good key is verified, kept and finds the apps', async () => {
    expect((await get()).body).toBeNull();
    const answer = await post({ teamId: 'ABCDE12345', teamType: 'INDIVIDUAL' });
    expect(answer.status).toBe(201);
    expect(answer.body.discoveredApps).toBe(5);
    expect(answer.body.connection).toMatchObject({
      issuerId: suite.store.account.keys[0]!.issuerId,
      vendorNumber: '80012345',
      status: 'connected',
      lastError: null,
      teamId: 'ABCDE12345',
      teamType: 'INDIVIDUAL',
    });
    expect((await get()).body).toMatchObject({ status: 'connected' });
    const apps = await suite.call('/v1/store/apps', { headers: org.key });
    expect(apps.body).toHaveLength(5);
    expect(apps.body[0]).toMatchObject({ appId: null, linkedAt: null });
    await keepHistory(temporal.client, `storeConnection/${org.orgId}`, 'store-connection/accepted');
  });

  const refusals: [string, () => unknown, number, string][] = [
    ['an unknown key id', () => post({ keyId: 'NOSUCHKEY0' }), 400, 'store_credentials_rejected'],
    [
      'a private key of another',
      () => post({ privateKey: makeKey('a', 'b').privateKey }),
      400,
      'store_credentials_rejected',
    ],
    ['no private key at all', () => post({ privateKey: 'x'.repeat(200) }), 400, 'invalid_input'],
    [
      'a wrong vendor number',
      () => post({ vendorNumber: '80099999' }),
      400,
      'store_credentials_rejected',
    ],
    [
      'a made-up vendor number',
      () => post({ vendorNumber: '4711' }),
      400,
      'store_credentials_rejected',
    ],
    ['a short issuer', () => post({ issuerId: 'x' }), 400, 'invalid_input'],
    ['a team id with a hyphen', () => post({ teamId: 'ABCDE-2345' }), 400, 'invalid_input'],
  ];
  test.each(refusals)('%s is refused', async (_what, attempt, status, code) => {
    const answer = (await attempt()) as Awaited<ReturnType<typeof post>>;
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.hint).toBeTruthy();
    expect((await get()).body).toBeNull();
  });

  test.each([
    ['role', 403, 'store_role_missing'],
    ['agreement', 403, 'store_agreement_required'],
    ['revoked', 400, 'store_credentials_rejected'],
    ['rate_limited', 429, 'store_rate_limited'],
  ] as const)('a key in trouble (%s) is told apart', async (trouble, status, code) => {
    suite.store.account.trouble.set(suite.store.account.keys[0]!.keyId, trouble);
    const answer = await post();
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    if (status === 429) expect(answer.headers.get('retry-after')).toBe('30');
  });

  test('a store that is away is 502', async () => {
    suite.store.faults.next({ kind: 'status', status: 503, body: '<html>' }, { times: 9 });
    const answer = await post();
    expect([answer.status, answer.body.error.code]).toEqual([502, 'store_unavailable']);
    await keepHistory(temporal.client, `storeConnection/${org.orgId}`, 'store-connection/refused');
  });

  test('what somebody else says of the store reaches nobody', async () => {
    suite.store.faults.next({ kind: 'silent' });
    const door = grpcDoor(temporal.connection, temporal.namespace);
    const answering = post();
    const run = `storeConnection/${org.orgId}`;
    await until('the forged failure is taken', () =>
      door.send(forge.fail(run, '1', { isLast: true })),
    );
    const { status, text } = await answering;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain('could not be verified');
    expect(text).not.toContain('evil.example');
  });

  test('nobody waits longer than half a minute for a store that does not answer', async () => {
    await post();
    const { history } = await (async () => ({
      history: await temporal.client.workflow
        .getHandle(`storeConnection/${org.orgId}`)
        .fetchHistory(),
    }))();
    const verify = history.events?.find(
      (event) =>
        event.activityTaskScheduledEventAttributes?.activityType?.name === 'verifyStoreKey',
    )?.activityTaskScheduledEventAttributes;
    expect(Number(verify?.scheduleToCloseTimeout?.seconds)).toBeLessThanOrEqual(25);
  });

  test('the connection that was there stays when a new key fails', async () => {
    await post();
    const before = (await get()).body;
    expect((await post({ keyId: 'NOSUCHKEY0' })).status).toBe(400);
    expect((await get()).body).toMatchObject({
      keyId: before.keyId,
      connectedAt: before.connectedAt,
      status: 'connected',
    });
  });

  test('twenty at once make one connection; the others are told that they were late', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post()));
    const others = answers.filter(({ status }) => status !== 201);
    expect(others.length).toBeLessThan(20);
    expect(others.filter(({ status }) => status !== 409)).toEqual([]);
    expect((await get()).body.status).toBe('connected');
    // Nobody's key is left behind.
    expect(await database.sql`SELECT 1 FROM store_candidates`).toHaveLength(0);
  });

  test('the same key may be connected again', async () => {
    await post();
    expect((await post()).status).toBe(201);
  });
});

describe('disconnecting', () => {
  test('destroys the key, is fine twice, and ends the actor', async () => {
    await post();
    await until('the actor runs', async () => {
      const { status } = await temporal.client.workflow
        .getHandle(`storeSync/${org.orgId}`)
        .describe();
      return status.name === 'RUNNING';
    });
    expect((await disconnect()).status).toBe(204);
    expect((await disconnect()).status).toBe(204);
    expect((await get()).body).toBeNull();
    const rows = await database.sql`
      SELECT 1 FROM store_connections WHERE org_id = ${org.orgId}
      UNION ALL SELECT 1 FROM store_candidates WHERE org_id = ${org.orgId}`;
    expect(rows).toHaveLength(0);
    await until('the actor ends', async () => {
      const { status } = await temporal.client.workflow
        .getHandle(`storeSync/${org.orgId}`)
        .describe();
      return status.name === 'COMPLETED';
    });
  });
});

describe('who may', () => {
  test('read and manage are two permissions', async () => {
    const reader = await createTestKey(suite, org, ['analytics:read']);
    const read = await suite.call('/v1/store/connection', { headers: reader });
    expect(read.status).toBe(200);
    for (const [path, method] of [
      ['/v1/store/connection', 'DELETE'],
      ['/v1/store/apps/refresh', 'POST'],
    ] as const) {
      const answer = await suite.call(path, { method, headers: reader });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const outsider = await createTestKey(suite, org, ['app:read']);
    expect((await suite.call('/v1/store/connection', { headers: outsider })).status).toBe(403);
  });

  test('another organization sees nothing of it', async () => {
    await post();
    const other = await createTestOrg(suite);
    expect((await get(other)).body).toBeNull();
    expect((await suite.call('/v1/store/apps', { headers: other.key })).body).toEqual([]);
  });
});

describe('the private key', () => {
  test('is in no row, no history, no log and no answer', async () => {
    const [, middle = ''] = suite.store.account.keys[0]!.privateKey.split('\n');
    const answer = await post();
    expect(answer.text).not.toContain(middle.slice(0, 20));
    await post({ keyId: 'NOSUCHKEY0' });
    expect(logged.length).toBeGreaterThan(3);
    expect(logged.some((line) => line.includes(middle.slice(0, 20)))).toBe(false);
    const tables = await database.sql<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
    for (const { name } of tables) {
      const rows = await database.sql.unsafe(`SELECT t::text AS row FROM "${name}" t`);
      expect(rows.some(({ row }) => String(row).includes(middle.slice(0, 20)))).toBe(false);
    }
    for (const id of [`storeConnection/${org.orgId}`, `storeSync/${org.orgId}`]) {
      const history = await temporal.client.workflow.getHandle(id).fetchHistory();
      const words = JSON.stringify(history, (_key, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      );
      expect(words).toContain(org.orgId);
      expect(words).not.toContain(middle.slice(0, 20));
    }
  });
});

describe('without a master key', () => {
  test('nothing is connected or imported, and both say why', async () => {
    const bare = await startTestService(database, { env: { SECRETS_KEY: '' } });
    const body = connectBody(suite.store);
    const refused = await bare.call('/v1/store/connection', { body, headers: org.key });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'secret_storage_unavailable']);
    const imported = await bare.call('/v1/apps/import', {
      body: { storeAppId: '1' },
      headers: org.key,
    });
    expect([imported.status, imported.body.error.code]).toEqual([503, 'store_not_configured']);
    expect(await database.sql`SELECT 1 FROM store_candidates`).toHaveLength(0);
  });
});
