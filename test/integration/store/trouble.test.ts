import { beforeEach, describe, expect, test } from 'bun:test';
import { collectDays } from '../../../src/modules/sales/collection/collect.ts';
import { insertCandidate } from '../../../src/modules/sales/collection/connection-queries.ts';
import { finishSyncRun } from '../../../src/modules/sales/collection/note-end.ts';
import { sealPrivateKey } from '../../../src/modules/sales/collection/opened-key.ts';
import { acceptKey, verifyKey } from '../../../src/modules/sales/collection/verify.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, type TestOrg } from '../../support/service.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const MINUTE_MS = 60_000;
const database = await testDatabase();
const suite = await startStoreSuite(database, { retentionDays: 12 });
const { account, requests, asked } = suite.store;
const { keyId } = account.keys[0]!;
let org: TestOrg;
/** Half an hour later for each test: time never runs backwards, or tokens would be from the future. */
let baseMs = NOON.getTime();

beforeEach(async () => {
  baseMs += 30 * MINUTE_MS;
  suite.setNow(new Date(baseMs));
  account.days.clear();
  account.trouble.clear();
  suite.store.faults.clear();
  account.remainingInHour = 3_500;
  await database.sql`DELETE FROM provider_limits`;
  org = await createTestOrg(suite);
  await placeConnection(suite, org.orgId);
});

/** A run of the actor, without the actor. */
async function run({ force = false } = {}) {
  const input = { orgId: org.orgId, force, beganAtMs: null, withoutTrials: false };
  let result = await collectDays(suite.ctx, input);
  const all = { checked: result.checked, beganAtMs: result.beganAtMs };
  while (result.more) {
    result = await collectDays(suite.ctx, { ...input, beganAtMs: all.beganAtMs });
    all.checked += result.checked;
  }
  const { stop } = result;
  await finishSyncRun(suite.ctx, { orgId: org.orgId, stop, checked: all.checked, failures: 1 });
  return { ...result, checked: all.checked };
}
const later = (minutes: number) => suite.setNow(new Date(baseMs + minutes * MINUTE_MS));
const freshness = async () =>
  (await suite.call('/v1/analytics', { headers: org.key })).body.freshness;
const connection = async () =>
  (await suite.call('/v1/store/connection', { headers: org.key })).body;
const refresh = () => suite.call('/v1/store/apps/refresh', { method: 'POST', headers: org.key });
const salesAsked = () =>
  [...asked.keys()].filter((name) => name.startsWith('SALES')).map((name) => name.slice(6));

describe('a forced run', () => {
  test('asks for what is missing before anything else, and says how much still is', async () => {
    account.days.set('SALES 2026-07-14', 'not_yet');
    account.days.set('SALES 2026-07-11', 'not_yet');
    account.days.set('SALES 2026-07-09', [
      { 'Begin Date': '07/09/2026', Units: 'many', 'Product Type Identifier': '1F' },
    ]);
    const first = await run();
    expect(first).toMatchObject({ daysRemaining: 3, coveredThrough: '2026-07-13' });
    later(1);
    asked.clear();
    expect(await run({ force: true })).toMatchObject({ daysRemaining: 3 });
    // Two lanes ask at once: one of the missing days may still be on its way to the store.
    const missing = ['2026-07-09', '2026-07-11', '2026-07-14'];
    const askedEarly = salesAsked()
      .slice(0, 3)
      .filter((day) => missing.includes(day));
    expect(askedEarly.length).toBeGreaterThanOrEqual(2);
    expect(salesAsked()).toEqual(expect.arrayContaining(missing));
    account.days.clear();
    later(2);
    expect(await run({ force: true })).toMatchObject({
      daysRemaining: 0,
      coveredThrough: '2026-07-14',
    });
    expect(await freshness()).toMatchObject({ state: 'ready', gaps: 0, lastError: null });
  });
});

describe('a day that cannot be read', () => {
  test('is told with its reason until it can be', async () => {
    const broken = [{ 'Begin Date': '07/11/2026', Units: 'many' }];
    account.days.set('SALES 2026-07-11', broken);
    await run();
    const told = await freshness();
    expect(told).toMatchObject({ state: 'ready', gaps: 1 });
    expect(told.lastError).toContain('SALES 2026-07-11');
    later(1);
    await run();
    expect((await freshness()).lastError).toContain('SALES 2026-07-11');
    account.days.clear();
    later(2);
    await run({ force: true });
    expect(await freshness()).toMatchObject({ gaps: 0, lastError: null });
  });

  test('makes the state an error when it is yesterday', async () => {
    account.days.set('SALES 2026-07-14', [{ 'Begin Date': '07/14/2026', Units: 'many' }]);
    await run();
    expect((await freshness()).state).toBe('error');
  });
});

describe('a fault of one day', () => {
  const FAULTS = ['invalid_vendor', 'not_authorized', 'role_missing', 'unexpected', 'cut'] as const;

  test.each(FAULTS)('%s stops nothing, and is told with the day', async (fault) => {
    account.days.set('SALES 2026-07-14', fault);
    account.days.set('SALES 2026-07-11', fault);
    account.days.set('SALES 2026-07-10', fault);
    expect(await run()).toMatchObject({ stop: null, daysRemaining: 3 });
    expect(await connection()).toMatchObject({ status: 'connected', lastError: null });
    expect((await freshness()).lastError).toContain('SALES 2026-07-14');
    account.days.delete('SALES 2026-07-14');
    later(1);
    expect(await run({ force: true })).toMatchObject({ stop: null, daysRemaining: 2 });
    expect((await freshness()).lastError).toContain('SALES 2026-07-11');
    account.days.clear();
    later(2);
    await run({ force: true });
    expect(await freshness()).toMatchObject({ gaps: 0, lastError: null, state: 'ready' });
  });

  test.each(FAULTS)('%s at a second look keeps the figures, and is told', async (fault) => {
    await run();
    const before = (await suite.call('/v1/analytics', { headers: org.key })).body.totals;
    account.days.set('SALES 2026-07-14', fault);
    later(1);
    expect(await run({ force: true })).toMatchObject({ stop: null, daysRemaining: 0 });
    const { body } = await suite.call('/v1/analytics', { headers: org.key });
    expect(body.totals).toEqual(before);
    expect(body.freshness).toMatchObject({ state: 'ready', gaps: 0 });
    expect(body.freshness.lastError).toContain('SALES 2026-07-14');
    expect(await connection()).toMatchObject({ status: 'connected' });
  });

  test('once is none: the day is asked for again', async () => {
    await collectAll(suite, org.orgId);
    later(1);
    for (const answer of [
      { kind: 'status', status: 401, body: '{}' },
      { kind: 'status', status: 400, body: '{}' },
    ] as const) {
      suite.store.faults.next(answer, { times: 1 });
      expect((await run({ force: true })).stop).toBeNull();
      expect(await freshness()).toMatchObject({ gaps: 0, lastError: null });
      later(2);
    }
    expect((await connection()).status).toBe('connected');
  });
});

describe('a key that is refused', () => {
  test('stays told when a later run finds nothing to ask for', async () => {
    await collectAll(suite, org.orgId);
    account.trouble.set(keyId, 'revoked');
    later(1);
    expect((await run({ force: true })).stop?.because).toBe('credentials_rejected');
    const { lastError } = await freshness();
    expect(lastError).toContain('does not accept');
    later(2);
    expect(await run()).toMatchObject({ checked: 0, stop: null });
    expect((await freshness()).lastError).toBe(lastError);
    expect(await connection()).toMatchObject({ status: 'invalid', lastError });
  });

  test('is forgotten with the key: another one that is accepted begins anew', async () => {
    await collectAll(suite, org.orgId);
    account.trouble.set(keyId, 'revoked');
    later(1);
    await run({ force: true });
    account.trouble.clear();
    const connectionId = `con_${crypto.randomUUID()}`;
    const [key] = account.keys;
    await insertCandidate(database.sql, {
      connectionId,
      orgId: org.orgId,
      issuerId: key!.issuerId,
      keyId: key!.keyId,
      vendorNumber: account.vendorNumber,
      sealedKey: sealPrivateKey(suite.deps, org.orgId, key!.privateKey),
      teamId: null,
      teamType: null,
      createdAt: NOON,
    });
    await verifyKey(suite.ctx, { orgId: org.orgId, connectionId });
    await acceptKey(suite.ctx, { orgId: org.orgId, connectionId });
    expect((await freshness()).lastError).toBeNull();
  });

  test.each([
    ['revoked', 400, 'invalid', 'does not accept'],
    ['agreement', 403, 'connected', 'agreement'],
  ] as const)(
    'by a refresh (%s) is written down as by a run',
    async (trouble, code, status, words) => {
      account.trouble.set(keyId, trouble);
      expect((await refresh()).status).toBe(code);
      const told = await connection();
      expect(told.status).toBe(status);
      expect(told.lastError).toContain(words);
    },
  );

  test('of a key that cannot sign asks nobody and is announced once for each status', async () => {
    // Sealed by the demo of an earlier release.
    const sealed = sealPrivateKey(suite.deps, org.orgId, 'simulated store {"seed":1}');
    await database.sql`
      UPDATE store_connections SET sealed_key = ${sealed} WHERE org_id = ${org.orgId}`;
    const body = { url: 'https://example.com/hook', events: ['store.connection_changed'] };
    expect((await suite.call('/v1/webhooks', { headers: org.key, body })).status).toBe(201);
    const before = requests.length;
    const statuses: string[] = [];
    for (const minutes of [1, 10, 60, 23 * 60, 25 * 60, 30 * 60]) {
      later(minutes);
      expect((await run({ force: true })).stop?.because).toBe('credentials_rejected');
      statuses.push((await connection()).status);
    }
    expect(statuses).toEqual([...Array(4).fill('invalid'), 'revoked', 'revoked']);
    expect(requests).toHaveLength(before);
    const announced = await database.sql`
      SELECT 1 FROM webhook_deliveries WHERE org_id = ${org.orgId}`;
    expect(announced).toHaveLength(2);
  });

  test('is not what a store that is away means', async () => {
    suite.store.faults.next({ kind: 'status', status: 503, body: '<html>' }, { times: 9 });
    expect((await refresh()).status).toBe(502);
    suite.store.faults.clear();
    expect(await connection()).toMatchObject({ status: 'connected', lastError: null });
  });
});

describe('a store that wants to be left alone', () => {
  test('is asked nothing more by anybody until then', async () => {
    account.trouble.set(keyId, 'rate_limited');
    account.retryAfterSeconds = 600;
    expect((await run()).stop).toMatchObject({ because: 'rate_limited', waitMs: 600_000 });
    account.trouble.clear();
    const before = requests.length;
    later(4);
    const stops = [await run({ force: true }), await run({ force: true }), await run()];
    expect(stops.map(({ stop }) => stop?.because)).toEqual(Array(3).fill('rate_limited'));
    expect(stops[0]?.stop?.waitMs).toBe(360_000);
    const refused = await refresh();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '360']);
    const connectionId = `con_${crypto.randomUUID()}`;
    const [key] = account.keys;
    await insertCandidate(database.sql, {
      connectionId,
      orgId: org.orgId,
      issuerId: key!.issuerId,
      keyId: key!.keyId,
      vendorNumber: account.vendorNumber,
      sealedKey: sealPrivateKey(suite.deps, org.orgId, key!.privateKey),
      teamId: null,
      teamType: null,
      createdAt: NOON,
    });
    const verified = verifyKey(suite.ctx, { orgId: org.orgId, connectionId });
    await expect(verified).rejects.toMatchObject({
      code: 'store_rate_limited',
      retryAfterSeconds: 360,
    });
    expect(requests).toHaveLength(before);
    later(10);
    expect((await run()).stop).toBeNull();
    account.retryAfterSeconds = 30;
  });

  test('and whose hour is nearly used up keeps what is left for members', async () => {
    account.remainingInHour = 90;
    const first = await run();
    expect(first.stop?.because).toBe('budget');
    const before = requests.length;
    later(5);
    expect((await run({ force: true })).stop).toMatchObject({
      because: 'budget',
      waitMs: 10 * MINUTE_MS,
    });
    expect(requests).toHaveLength(before);
    expect((await refresh()).status).toBe(200);
    account.remainingInHour = 3_500;
    later(15);
    expect((await run()).stop).toBeNull();
  });
});

test('a NUL in what the store calls an app, or a version, is left out', async () => {
  const app = account.apps[0]!;
  const { name, versions } = app;
  app.name = 'Focus\u0000 Timer';
  app.versions = [{ ...versions[0]!, versionString: '1.\u00004' }];
  expect((await refresh()).status).toBe(200);
  const listed = (await suite.call('/v1/store/apps', { headers: org.key })).body;
  const told = listed.find((one: { storeAppId: string }) => one.storeAppId === app.id);
  expect(told).toMatchObject({ name: 'Focus Timer', storeVersion: '1.4' });
  Object.assign(app, { name, versions });
});
