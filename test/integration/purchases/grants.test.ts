import { describe, expect, test } from 'bun:test';
import { expireGrants } from '../../../src/modules/purchases/entitlement/grants.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { createTestOrg } from '../../support/service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
const { sql } = service.deps;

const path = (app: PurchaseApp, rest: string) => `/v1/apps/${app.appId}/purchases${rest}`;
const asked = async (app: PurchaseApp, query: Record<string, string>) =>
  service.call(path(app, `/entitlement?${new URLSearchParams(query)}`), { headers: app.org.key });
const grant = (app: PurchaseApp, body: Record<string, unknown>) =>
  service.call(path(app, '/grants'), { headers: app.org.key, body });
const revoke = (app: PurchaseApp, id: string) =>
  service.call(path(app, `/grants/${id}`), { method: 'DELETE', headers: app.org.key });
const iso = (ms: number) => new Date(ms).toISOString();

async function listen(app: PurchaseApp) {
  const answer = await service.call('/v1/webhooks', {
    headers: app.org.key,
    body: { url: 'https://example.com/hooks', events: ['entitlement.changed'] },
  });
  expect(answer.status).toBe(201);
}
const announced = async (app: PurchaseApp) => {
  const rows = await sql<{ body: string }[]>`
    SELECT body FROM webhook_deliveries WHERE org_id = ${app.org.orgId}
    ORDER BY created_at, delivery_id`;
  return rows.map(({ body }) => JSON.parse(body).data);
};

describe('a backend asks with its organization key', () => {
  test('and gets what the device gets', async () => {
    const app = await service.app();
    const signedTransaction = store.sign(buy(app, clock.now - DAY).newest);
    const verified = await service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction, userId: 'u1' },
    });
    const answer = await asked(app, { userId: 'u1' });
    expect([answer.status, answer.body]).toEqual([200, verified.body]);
    expect((await asked(app, { userId: 'u2' })).body).toMatchObject({ status: 'none' });
    expect((await asked(app, {})).status).toBe(400);
    expect((await asked(app, { userId: 'u1', user: 'u1' })).status).toBe(400);
  });

  test('at the device route is still refused', async () => {
    const app = await service.app();
    const answer = await service.call('/v1/purchases/entitlement?userId=u1', {
      headers: app.org.key,
    });
    expect(answer.status).toBe(401);
  });

  test('about its own apps only', async () => {
    const app = await service.app();
    const other = await createTestOrg(service);
    const answer = await service.call(path(app, '/entitlement?userId=u1'), { headers: other.key });
    expect(answer.status).toBe(404);
  });
});

describe('a grant', () => {
  test('entitles until it ends, without a transaction', async () => {
    const app = await service.app();
    const expiresAt = iso(clock.now + 10 * DAY);
    const made = await grant(app, { userId: 'u1', productId: 'pro.yearly', expiresAt });
    expect(made.status).toBe(201);
    const entitlement = {
      entitled: true,
      status: 'active',
      productId: 'pro.yearly',
      expiresAt,
      graceExpiresAt: null,
      willRenew: false,
      ownership: null,
      originalTransactionId: null,
      environment: 'Production',
      checkedAt: iso(clock.now),
    };
    expect((await asked(app, { userId: 'u1' })).body).toEqual(entitlement);
    const byDevice = await service.call('/v1/purchases/entitlement?userId=u1', {
      headers: app.device,
    });
    expect(byDevice.body).toEqual(entitlement);
    expect((await asked(app, { userId: 'u2' })).body.status).toBe('none');
    expect((await asked(app, { userId: 'u1', productId: 'other' })).body.status).toBe('none');
    clock.now += 10 * DAY;
    expect((await asked(app, { userId: 'u1' })).body).toMatchObject({
      entitled: false,
      status: 'expired',
    });
  });

  test('is found by the anonymous ids of its user', async () => {
    const app = await service.app();
    await sql`
      INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
      VALUES (${app.appId}, 'anonymous-1', 'u1', ${app.org.orgId}, now(), 1)`;
    await grant(app, { userId: 'u1', productId: 'pro' });
    expect((await asked(app, { anonymousId: 'anonymous-1' })).body.entitled).toBe(true);
    expect((await asked(app, { anonymousId: 'anonymous-2' })).body.entitled).toBe(false);
    const both = { anonymousId: 'anonymous-1', userId: 'u2' };
    expect((await asked(app, both)).body.entitled).toBe(false);
  });

  test('stands behind a purchase, and before one of the sandbox', async () => {
    const app = await service.app();
    await grant(app, { userId: 'u1', productId: 'gift' });
    const hand = async (environment: 'Production' | 'Sandbox') => {
      const signedTransaction = store.sign(buy(app, clock.now - DAY, { environment }).newest);
      const body = { signedTransaction, userId: 'u1' };
      await service.call('/v1/purchases/verify', { headers: app.device, body });
      return (await asked(app, { userId: 'u1' })).body;
    };
    expect(await hand('Sandbox')).toMatchObject({ productId: 'gift', ownership: null });
    expect(await hand('Production')).toMatchObject({
      productId: 'pro.monthly',
      ownership: 'purchased',
    });
  });

  test('again changes the one that there is, and says nothing new when nothing changed', async () => {
    const app = await service.app();
    await listen(app);
    const first = await grant(app, { userId: 'u1', productId: 'pro', note: 'a' });
    const same = await grant(app, { userId: 'u1', productId: 'pro', note: 'a' });
    expect(same.body).toEqual(first.body);
    const longer = { userId: 'u1', productId: 'pro', expiresAt: iso(clock.now + DAY) };
    expect((await grant(app, longer)).body).toMatchObject({
      id: first.body.id,
      expiresAt: longer.expiresAt,
      note: null,
    });
    const several = await Promise.all(
      Array.from({ length: 5 }, () => grant(app, { userId: 'u9', productId: 'pro' })),
    );
    expect(new Set(several.map(({ body }) => body.id)).size).toBe(1);
    expect(await announced(app)).toHaveLength(3);
    const user = crypto.randomUUID();
    const spelt = [user, user.toUpperCase()];
    const both = await Promise.all(spelt.map((userId) => grant(app, { userId, productId: 'pro' })));
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1);
  });

  test('is revoked at once and for once, with an audit row and a webhook each', async () => {
    const app = await service.app();
    await listen(app);
    const { body } = await grant(app, { userId: 'u1', productId: 'pro' });
    expect((await revoke(app, body.id)).status).toBe(204);
    expect((await revoke(app, body.id)).status).toBe(204);
    expect((await asked(app, { userId: 'u1' })).body).toMatchObject({
      entitled: false,
      status: 'revoked',
      ownership: null,
    });
    const { entries } = (await service.call(path(app, '/audit'), { headers: app.org.key })).body;
    const holder = { kind: 'user', id: 'u1' };
    expect(entries).toMatchObject([
      { action: 'revoked', from: holder, to: null, productId: 'pro', originalTransactionId: null },
      { action: 'granted', from: null, to: holder, actor: { kind: 'orgKey' } },
    ]);
    const told = { appId: app.appId, environment: 'Production', originalTransactionId: null };
    expect(await announced(app)).toEqual([
      { ...told, userId: 'u1' },
      { ...told, userId: 'u1' },
    ]);
    const again = await grant(app, { userId: 'u1', productId: 'pro' });
    expect(again.body.id).not.toBe(body.id);
    expect((await asked(app, { userId: 'u1' })).body.status).toBe('active');
  });

  test('of another organization cannot be read or revoked', async () => {
    const app = await service.app();
    const { body } = await grant(app, { userId: 'u1', productId: 'pro' });
    const other = await service.app();
    expect((await revoke(other, body.id)).status).toBe(404);
    const foreign = { headers: other.org.key };
    expect((await service.call(path(app, '/grants'), foreign)).status).toBe(404);
    const own = await service.call(path(other, '/grants'), foreign);
    expect(own.body).toEqual({ grants: [], nextCursor: null });
  });

  test('whose time is over is announced once by the sweep', async () => {
    const app = await service.app();
    await listen(app);
    const expiresAt = iso(clock.now + DAY);
    const { body } = await grant(app, { userId: 'u1', productId: 'pro', expiresAt });
    await expireGrants(service.deps);
    expect(await announced(app)).toHaveLength(1);
    clock.now += DAY;
    await expireGrants(service.deps);
    expect(await expireGrants(service.deps)).toBe(0);
    expect(await announced(app)).toHaveLength(2);
    const { grants } = (await service.call(path(app, '/grants'), { headers: app.org.key })).body;
    expect(grants).toMatchObject([{ id: body.id, endedAt: expiresAt, endReason: 'expired' }]);
  });

  test('names the field that does not fit', async () => {
    const app = await service.app();
    const past = { userId: 'u1', productId: 'pro', expiresAt: iso(clock.now) };
    expect((await grant(app, past)).body.error.hint).toContain('expiresAt');
    expect((await grant(app, { userId: '', productId: 'pro' })).body.error.hint).toContain(
      'userId',
    );
    expect((await grant(app, { userId: 'u1' })).body.error.hint).toContain('productId');
    for (let index = 0; index < 50; index += 1) {
      const answer = await grant(app, { userId: 'many', productId: `p${index}` });
      expect(answer.status).toBe(201);
    }
    expect((await grant(app, { userId: 'many', productId: 'one-more' })).status).toBe(409);
  });

  test('is listed in pages, also of one person', async () => {
    const app = await service.app();
    for (const userId of ['u1', 'u2', 'u1']) {
      await grant(app, { userId, productId: `p${clock.now}` });
      clock.now += 1_000;
    }
    const list = async (query: string) =>
      (await service.call(path(app, `/grants${query}`), { headers: app.org.key })).body;
    const first = await list('?limit=2');
    expect(first.grants.map((one: { userId: string }) => one.userId)).toEqual(['u1', 'u2']);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([second.grants.length, second.nextCursor]).toEqual([1, null]);
    expect((await list('?userId=u2')).grants).toHaveLength(1);
  });

  test('goes with an erased person, to whom nothing can be granted any more', async () => {
    const app = await service.app();
    await grant(app, { userId: 'u1', productId: 'pro' });
    const erased = await service.call(`/v1/apps/${app.appId}/people/u1`, {
      method: 'DELETE',
      headers: app.org.key,
    });
    expect(erased.status).toBe(204);
    expect((await asked(app, { userId: 'u1' })).body.status).toBe('none');
    const { entries } = (await service.call(path(app, '/audit'), { headers: app.org.key })).body;
    expect(entries).toMatchObject([{ action: 'granted', to: { id: 'erased' } }]);
    expect((await grant(app, { userId: 'u1', productId: 'pro' })).status).toBe(409);
  });
});
