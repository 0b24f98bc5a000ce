import { afterEach, describe, expect, test } from 'bun:test';
import { isSignedBy } from '../../../src/modules/sales/webhook/receive.ts';
import { startSync } from '../../../src/modules/sales/index.ts';
import { signatureOf } from '../../simulators/store/webhooks.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { NOON, placeConnection, startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const temporal = await testTemporal();
const suite = await startStoreSuite(
  await testDatabase(),
  { retentionDays: 2 },
  { temporal, env: { FX_RATES_URL: 'file:///nowhere/rates.csv' } },
);
await startTestWorker(suite.deps, temporal);
const { account } = suite.store;
const org = await createTestOrg(suite);
await placeConnection(suite, org.orgId);
await startSync(suite.ctx, org);
await until('the first look at all apps is over', async () => {
  const rows = await suite.deps.sql`
    SELECT 1 FROM store_syncs WHERE org_id = ${org.orgId} AND apps_checked_at IS NOT NULL`;
  return rows.length > 0;
});

afterEach(() => {
  suite.setNow(NOON);
  account.webhooksAllowed = true;
  account.trouble.clear();
});

async function linked(index: number) {
  const { appId } = await createTestApp(suite, org.orgId);
  const storeAppId = account.apps[index]!.id;
  await suite.call('/v1/store/apps/link', { headers: org.key, body: { storeAppId, appId } });
  const path = `/v1/apps/${appId}/store-webhook`;
  const make = async () => (await suite.call(path, { method: 'POST', headers: org.key })).body;
  const get = async () => (await suite.call(path, { headers: org.key })).body;
  const state = async () =>
    (await suite.call(`/v1/apps/${appId}`, { headers: org.key })).body.store.state;
  return { appId, path, make, get, state };
}

const event = (type: string, id: string = crypto.randomUUID()) =>
  JSON.stringify({
    data: { type, id, version: 1, attributes: { newValue: 'READY_FOR_DISTRIBUTION' } },
  });
const STATE = 'appStoreVersionAppVersionStateUpdated';
const deliver = (address: string, rawBody: string, signature: string | null) =>
  suite.call(new URL(address).pathname, {
    rawBody,
    headers: signature === null ? {} : { 'x-apple-signature': signature },
  });

test("the store's own example is signed by its secret, and nothing else is", () => {
  const signed = (header: string | null, body = 'Hello, World!') =>
    isSignedBy('This is my secret', body, header);
  const hex = '7f062172b01cb00b53ca068614674a3d982a34062a0f5d37687d5e3377e54657';
  expect(signed(`hmacsha256=${hex}`)).toBe(true);
  expect(signed(`HMACSHA256=${hex.toUpperCase()}`)).toBe(true);
  expect(signed(hex)).toBe(false);
  expect(signed(null)).toBe(false);
  expect(signed('hmacsha256=')).toBe(false);
  expect(signed(`hmacsha256=${hex}`, 'Hello, World')).toBe(false);
});

describe("the store's webhook", () => {
  test('moves the state at once: the store is asked again, what is said is not believed', async () => {
    const { make, get, state } = await linked(0);
    expect(await state()).toBe('live');
    const made = await make();
    expect(made).toMatchObject({ isInAccount: true, secret: null, lastError: null });
    const [webhook] = [...account.webhooks.values()];
    expect(webhook?.url).toBe(made.address);
    account.apps[0]!.versions[0] = {
      ...account.apps[0]!.versions[0]!,
      appStoreState: 'DEVELOPER_REMOVED_FROM_SALE',
    };
    const body = event(STATE);
    const answer = await deliver(made.address, body, signatureOf(webhook!.secret, body));
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    await until('the state has moved', async () => (await state()) === 'removed');
    expect((await get()).lastDeliveryAt).toBe(NOON.toISOString());
  });

  test('a forged one costs nothing, and one that comes again is taken once', async () => {
    const { make } = await linked(1);
    const { address } = await make();
    const { secret } = [...account.webhooks.values()].find(({ url }) => url === address)!;
    const body = event(STATE);
    const { sql } = suite.deps;
    const kept = async () =>
      (
        await sql`SELECT delivery_id FROM store_webhook_deliveries
        WHERE hook_id = ${address.split('/').at(-1)!}`
      ).length;
    const hinted = async () =>
      (
        await sql`SELECT 1 FROM store_webhooks
        WHERE hook_id = ${address.split('/').at(-1)!} AND hinted_at IS NOT NULL`
      ).length;
    for (const signature of [null, signatureOf('another', body), signatureOf(secret, `${body} `)]) {
      const { status, body: said } = await deliver(address, body, signature);
      expect([status, said.error.code]).toEqual([401, 'invalid_signature']);
    }
    expect(await kept()).toBe(0);
    expect(await hinted()).toBe(0);
    const nowhere = address.replace(/[^/]+$/, 'n'.repeat(24));
    expect((await deliver(nowhere, body, signatureOf(secret, body))).status).toBe(404);
    for (let time = 0; time < 3; time += 1) {
      expect((await deliver(address, body, signatureOf(secret, body))).status).toBe(200);
    }
    expect(await kept()).toBe(1);
  });

  test('a key that may not make it leaves address and secret to a person', async () => {
    const { make, get } = await linked(2);
    account.webhooksAllowed = false;
    const made = await make();
    expect(made.isInAccount).toBe(false);
    expect(made.lastError).toContain('may not make webhooks');
    expect(await get()).not.toHaveProperty('secret');
    const ping = event('webhookPingCreated');
    expect((await deliver(made.address, ping, signatureOf(made.secret, ping))).status).toBe(200);
    expect((await get()).pingedAt).toBe(NOON.toISOString());
  });

  test('stays one in the account when a new secret could not be written there', async () => {
    const { make, path } = await linked(4);
    const { address } = await make();
    const ours = () => [...account.webhooks.values()].filter(({ url }) => url === address);
    account.webhooksAllowed = false;
    expect((await make()).secret).not.toBeNull();
    account.webhooksAllowed = true;
    expect((await make()).secret).toBeNull();
    expect(ours()).toHaveLength(1);
    expect((await suite.call(path, { method: 'DELETE', headers: org.key })).status).toBe(204);
    expect(ours()).toEqual([]);
  });

  test('is removed from the account too, and needs a linked app', async () => {
    const { make, path, get } = await linked(4);
    const { address } = await make();
    const inAccount = () => [...account.webhooks.values()].some(({ url }) => url === address);
    expect(inAccount()).toBe(true);
    expect((await suite.call(path, { method: 'DELETE', headers: org.key })).status).toBe(204);
    expect(inAccount()).toBe(false);
    expect(await get()).toBeNull();
    const { appId } = await createTestApp(suite, org.orgId);
    const answer = await suite.call(`/v1/apps/${appId}/store-webhook`, {
      method: 'POST',
      headers: org.key,
    });
    expect(answer.body.error.code).toBe('store_app_not_found');
  });

  // Last: a token that was made later is none yet when the clock goes back.
  test('the secret before holds for a day after a new one', async () => {
    const { make } = await linked(3);
    account.webhooksAllowed = false;
    const [old, fresh] = [await make(), await make()];
    expect(fresh.address).toBe(old.address);
    const send = async (secret: string) => {
      const body = event('webhookPingCreated');
      return (await deliver(old.address, body, signatureOf(secret, body))).status;
    };
    expect([await send(old.secret), await send(fresh.secret)]).toEqual([200, 200]);
    suite.setNow(new Date(NOON.getTime() + 25 * 3_600_000));
    expect([await send(old.secret), await send(fresh.secret)]).toEqual([401, 200]);
  });
});
