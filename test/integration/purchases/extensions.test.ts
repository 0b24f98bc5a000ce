import { afterEach, describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { createTestKey } from '../../support/service.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const TOKEN = '7e3fb20b-4cdb-47cc-936d-99d65f608138';
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;

afterEach(() => {
  expect(store.production.violations).toEqual([]);
  store.production.faults.clear();
});

async function subscribed(options = {}) {
  const app = await service.app();
  await service.connect(app);
  const subscription = buy(app, clock.now - DAY, options);
  store.setChain('Production', [{ groupId: '1', ...subscription.answer() }]);
  return { app, subscription, chainId: subscription.newest.originalTransactionId };
}
const extend = (app: PurchaseApp, body: object, headers: Record<string, string> = app.org.key) =>
  service.call(`/v1/apps/${app.appId}/purchases/extensions`, { headers, body });
const setToken = (app: PurchaseApp, body: object, headers: Record<string, string> = app.org.key) =>
  service.call(`/v1/apps/${app.appId}/purchases/account-token`, { headers, body });
const asked = (originalTransactionId: string, requestIdentifier = 'r1') => ({
  ...{ originalTransactionId, requestIdentifier, days: 14, reason: 'outage' },
});
const said = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error?.message ?? body,
];

describe('extending a renewal date', () => {
  test('is done once, however often it is asked for', async () => {
    const { app, subscription, chainId } = await subscribed();
    const first = await extend(app, asked(chainId));
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      ...asked(chainId),
      ...{ environment: 'Production', extendedAt: new Date(clock.now).toISOString() },
      renewsAt: new Date((subscription.newest.expiresDate ?? 0) + 14 * DAY).toISOString(),
    });
    expect((await extend(app, asked(chainId))).body).toEqual(first.body);
    expect([...store.changed('Production').extensions.keys()]).toEqual([`${chainId} r1`]);
    const other = await extend(app, { ...asked(chainId), days: 15 });
    expect(said(other)).toEqual([409, 'This requestIdentifier stands for another extension.']);
  });

  test.each(['cut'] as const)(
    'is done once where the answer of the store was lost (%s)',
    async (kind) => {
      const { app, subscription, chainId } = await subscribed();
      const until = (subscription.newest.expiresDate ?? 0) + 14 * DAY;
      const request = asked(chainId, kind);
      store.production.faults.next({ kind }, { match: /extend/ });
      expect((await extend(app, request)).status).toBe(502);
      expect(said(await extend(app, request))[1]).toContain('ask again in a minute');
      clock.now += 2 * MINUTE;
      const answer = await extend(app, request);
      expect([answer.status, answer.body.renewsAt]).toEqual([200, new Date(until).toISOString()]);
      expect((await extend(app, request)).body).toEqual(answer.body);
    },
    20_000,
  );

  test('is sent again where the store had not done it, and told where nobody can know', async () => {
    const { app, subscription, chainId } = await subscribed();
    store.production.faults.next({ kind: 'hang_up' }, { match: /extend/ });
    expect((await extend(app, asked(chainId, 'again'))).status).toBe(502);
    clock.now += 2 * MINUTE;
    expect((await extend(app, asked(chainId, 'again'))).status).toBe(200);
    expect(store.changed('Production').extensions.get(`${chainId} again`)).toEqual({
      chainId,
      days: 14,
    });

    store.production.faults.next({ kind: 'hang_up' }, { match: /extend/ });
    expect((await extend(app, asked(chainId, 'lost'))).status).toBe(502);
    clock.now += 2 * MINUTE;
    subscription.newest.expiresDate = (subscription.newest.expiresDate ?? 0) + 31 * DAY;
    store.setChain('Production', [{ groupId: '1', ...subscription.answer() }]);
    const unknown = await extend(app, asked(chainId, 'lost'));
    expect(said(unknown)).toEqual([409, 'Whether the store extended it cannot be told any more.']);
  });

  test('says what the store refuses in plain words, and gives the identifier back', async () => {
    const family = await subscribed({ family: true });
    expect(said(await extend(family.app, asked(family.chainId)))).toEqual([
      409,
      'A subscription shared by the family cannot be extended: extend that of who bought it.',
    ]);
    const { app, subscription, chainId } = await subscribed();
    subscription.cancel();
    subscription.expire();
    store.setChain('Production', [{ groupId: '1', ...subscription.answer() }]);
    expect(said(await extend(app, asked(chainId)))[1]).toContain('it must be active');
    subscription.resubscribe();
    store.setChain('Production', [{ groupId: '1', ...subscription.answer() }]);
    for (const id of ['r1', 'r2']) expect((await extend(app, asked(chainId, id))).status).toBe(200);
    const third = await extend(app, asked(chainId, 'r3'));
    expect(said(third)[1]).toContain('twice within 365 days');
    const unknown = await extend(app, asked('1999999999999999', 'r4'));
    expect(said(unknown)).toEqual([404, 'The store does not know this purchase here.']);
  });

  test('is checked before the store is asked', async () => {
    const { app, chainId } = await subscribed();
    const before = store.production.requests.length;
    for (const [name, value] of Object.entries({
      ...{ days: 0, reason: undefined, requestIdentifier: '', environment: 'Xcode' },
    })) {
      const answer = await extend(app, { ...asked(chainId), [name]: value });
      expect([answer.status, answer.body.error.hint.split(':')[0]]).toEqual([400, name]);
    }
    for (const days of [91, 1.5]) {
      expect((await extend(app, { ...asked(chainId), days })).status).toBe(400);
    }
    expect(store.production.requests.length).toBe(before);
  });

  test('needs a key that manages integrations, of its own organization, and a purchase key', async () => {
    const { app, chainId } = await subscribed();
    const member = await createTestKey(service, app.org, ['app:update', 'analytics:read']);
    const other = await service.app();
    for (const [headers, status] of [
      [member, 403],
      [other.org.key, 404],
      [app.device, 401],
    ] as const) {
      expect((await extend(app, asked(chainId), headers)).status).toBe(status);
      const token = { originalTransactionId: chainId, appAccountToken: TOKEN };
      expect((await setToken(app, token, headers)).status).toBe(status);
    }
    expect((await extend(other, asked(chainId))).body.error.code).toBe('store_not_connected');
  });
});

describe('the account token of a purchase', () => {
  test('is set at the store, in small letters', async () => {
    const { app, chainId } = await subscribed();
    const body = { originalTransactionId: chainId, appAccountToken: TOKEN.toUpperCase() };
    const answer = await setToken(app, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      { originalTransactionId: chainId, environment: 'Production', appAccountToken: TOKEN },
    ]);
    expect(store.changed('Production').tokens.get(chainId)).toBe(TOKEN);
  });

  test('is refused in plain words', async () => {
    const { app, subscription, chainId } = await subscribed();
    subscription.act('renew');
    store.setChain('Production', [{ groupId: '1', ...subscription.answer() }]);
    const renewal = subscription.newest.transactionId;
    const ofRenewal = { originalTransactionId: renewal, appAccountToken: TOKEN };
    expect((await setToken(app, ofRenewal)).body.error.hint).toContain('not that of a renewal');
    const bad = { originalTransactionId: chainId, appAccountToken: 'ada' };
    expect((await setToken(app, bad)).body.error.hint).toStartWith('appAccountToken:');
    const unknown = { originalTransactionId: '1999999999999999', appAccountToken: TOKEN };
    expect((await setToken(app, unknown)).status).toBe(404);
    const family = await subscribed({ family: true });
    const shared = { originalTransactionId: family.chainId, appAccountToken: TOKEN };
    expect(said(await setToken(family.app, shared))[1]).toContain('shared by the family');
  });
});
