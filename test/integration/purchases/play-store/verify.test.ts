import { expect, test } from 'bun:test';
import { acknowledgeDue } from '../../../../src/modules/purchases/play-store/acknowledge.ts';
import { DAY_MS, HOUR_MS } from '../../../../src/shared/time.ts';
import { type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { clock, play } = service;

let orders = 0;
type Bought = { token: string; state?: string; productId?: string; orderId?: string | null };

/** As Google Play answers about a token from now on. */
function put({ token, state = 'ACTIVE', productId = 'pro', orderId }: Bought, more: object = {}) {
  orders += 1;
  const order = orderId === undefined ? `GPA.${orders}` : orderId;
  play.put(token, {
    subscriptionState: `SUBSCRIPTION_STATE_${state}`,
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    startTime: new Date(clock.now).toISOString(),
    regionCode: 'DE',
    lineItems: [
      {
        productId,
        expiryTime: new Date(clock.now + 30 * DAY_MS).toISOString(),
        ...(order === null ? {} : { latestSuccessfulOrderId: order }),
        autoRenewingPlan: { autoRenewEnabled: true },
      },
    ],
    ...more,
  });
}

const newToken = () => `token-${crypto.randomUUID()}`;

const verify = (app: PlayApp, body: object) =>
  service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { store: 'google_play', ...body },
  });

const entitlementOf = (app: PlayApp, query: string) =>
  service.call(`/v1/purchases/entitlement?${query}`, { headers: app.device });

async function connected(): Promise<PlayApp> {
  const app = await service.app();
  await service.connect(app);
  return app;
}

test('a purchase token entitles as a transaction of the App Store does, and is acknowledged once', async () => {
  const app = await connected();
  const token = newToken();
  put({ token });
  const answer = await verify(app, { purchaseToken: token, userId: 'ada' });
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      entitled: true,
      status: 'active',
      productId: 'pro',
      expiresAt: new Date(clock.now + 30 * DAY_MS).toISOString(),
      willRenew: true,
      ownership: 'purchased',
      environment: 'Production',
    },
  ]);
  expect(answer.body.originalTransactionId).toStartWith('gp_');
  expect(answer.text).not.toContain(token);
  expect((await entitlementOf(app, 'userId=ada')).body.entitled).toBe(true);
  expect((await entitlementOf(app, 'userId=bob')).body.status).toBe('none');
  const again = await verify(app, { purchaseToken: token, userId: 'ada' });
  expect(again.body.originalTransactionId).toBe(answer.body.originalTransactionId);
  expect(play.acknowledgements.filter((one) => one === token)).toEqual([token]);
});

test('without a connection, and of a token that Google Play does not know, nothing is recorded', async () => {
  const bare = await service.app();
  const none = await verify(bare, { purchaseToken: 'x' });
  expect([none.status, none.body.error.code]).toEqual([404, 'store_not_connected']);
  const app = await connected();
  const unknown = await verify(app, { purchaseToken: 'nobody', userId: 'ada' });
  expect([unknown.status, unknown.body.error.code]).toEqual([400, 'invalid_transaction']);
  expect((await entitlementOf(app, 'userId=ada')).body.status).toBe('none');
});

test('a pending purchase entitles to nothing, is not acknowledged, and counts once it is paid', async () => {
  const app = await connected();
  const token = newToken();
  put({ token, state: 'PENDING', orderId: null }, { startTime: undefined });
  const pending = await verify(app, { purchaseToken: token, userId: 'ada' });
  expect([pending.status, pending.body.status]).toEqual([200, 'none']);
  expect(play.acknowledgements).not.toContain(token);
  put({ token });
  const paid = await verify(app, { purchaseToken: token, userId: 'ada' });
  expect(paid.body).toMatchObject({ entitled: true, status: 'active' });
  expect(play.acknowledgements).toContain(token);
});

test('a replaced plan ends with the new one, and its old token changes nothing', async () => {
  const app = await connected();
  const [old, next] = [newToken(), newToken()];
  put({ token: old, productId: 'basic' });
  const before = await verify(app, { purchaseToken: old, userId: 'ada' });
  clock.now += HOUR_MS;
  put({ token: next, productId: 'pro' }, { linkedPurchaseToken: old });
  const after = await verify(app, { purchaseToken: next, userId: 'ada' });
  expect(after.body).toMatchObject({ entitled: true, productId: 'pro' });
  expect(after.body.originalTransactionId).toBe(before.body.originalTransactionId);
  clock.now += HOUR_MS;
  put({ token: old, productId: 'basic', state: 'EXPIRED' });
  const late = await verify(app, { purchaseToken: old, userId: 'ada' });
  expect(late.body).toMatchObject({ entitled: true, productId: 'pro' });
  const basic = await entitlementOf(app, 'userId=ada&productId=basic');
  expect(basic.body.entitled).toBe(false);
});

test('an acknowledgement that fails is tried again, and the device gets its answer', async () => {
  const app = await connected();
  const token = newToken();
  put({ token });
  play.faults.next({ kind: 'status', status: 503 }, { match: /acknowledge/ });
  const answer = await verify(app, { purchaseToken: token, userId: 'ada' });
  expect(answer.body.entitled).toBe(true);
  expect(play.acknowledgements).not.toContain(token);
  await acknowledgeDue(service.deps);
  expect(play.acknowledgements).not.toContain(token);
  clock.now += HOUR_MS;
  await acknowledgeDue(service.deps);
  await acknowledgeDue(service.deps);
  expect(play.acknowledgements.filter((one) => one === token)).toEqual([token]);
});

test('trouble of Google is told, and takes nothing away', async () => {
  const app = await connected();
  const token = newToken();
  put({ token });
  await verify(app, { purchaseToken: token, userId: 'ada' });
  play.faults.next({ kind: 'status', status: 503 }, { match: /subscriptionsv2/ });
  const answer = await verify(app, { purchaseToken: token, userId: 'ada' });
  expect([answer.status, answer.body.error.code]).toEqual([502, 'store_unavailable']);
  expect((await entitlementOf(app, 'userId=ada')).body.entitled).toBe(true);
});

test('past its end the state is asked for anew', async () => {
  const app = await connected();
  const token = newToken();
  put({ token });
  await verify(app, { purchaseToken: token, userId: 'ada' });
  clock.now += 31 * DAY_MS;
  put(
    { token, orderId: 'GPA.renewed..0' },
    { startTime: new Date(clock.now - 31 * DAY_MS).toISOString() },
  );
  const renewed = await entitlementOf(app, 'userId=ada');
  expect(renewed.body).toMatchObject({ entitled: true, status: 'active' });
});

test('a purchase belongs to the app it was sent to', async () => {
  const [app, other] = [await connected(), await connected()];
  const token = newToken();
  put({ token });
  await verify(app, { purchaseToken: token, userId: 'ada' });
  expect((await entitlementOf(other, 'userId=ada')).body.status).toBe('none');
});
