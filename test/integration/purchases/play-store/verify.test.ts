import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../../src/shared/time.ts';
import { newToken, type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { clock, connected, play, sell: put } = service;

const verify = (app: PlayApp, body: object) =>
  service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { store: 'google_play', ...body },
  });

const entitlementOf = (app: PlayApp, query: string) =>
  service.call(`/v1/purchases/entitlement?${query}`, { headers: app.device });

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
  await service.askNow(app);
  expect(play.acknowledgements).not.toContain(token);
  clock.now += HOUR_MS;
  await service.askNow(app);
  await service.askNow(app);
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

describe('a one-time purchase', () => {
  const bought = (more: object = {}, state = 'PURCHASED') => ({
    orderId: `GPA.${crypto.randomUUID()}`,
    purchaseCompletionTime: new Date(clock.now).toISOString(),
    purchaseStateContext: { purchaseState: state },
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    regionCode: 'FR',
    productLineItem: [{ productId: 'forever', productOfferDetails: {} }],
    ...more,
  });

  test('is found without being told that it is one, lasts, and is acknowledged once', async () => {
    const app = await connected();
    const token = newToken();
    play.putProduct(token, bought());
    const answer = await verify(app, { purchaseToken: token, userId: 'ada' });
    expect(answer.body).toMatchObject({
      entitled: true,
      ...{ status: 'active', productId: 'forever', expiresAt: null, willRenew: false },
    });
    clock.now += 400 * DAY_MS;
    await service.askNow(app);
    expect((await entitlementOf(app, 'userId=ada')).body.entitled).toBe(true);
    expect(play.acknowledgements.filter((one) => one === token)).toEqual([token]);
  });

  test('that is pending entitles to nothing, and is looked at again by itself', async () => {
    const app = await connected();
    const token = newToken();
    play.putProduct(token, bought({ orderId: undefined }, 'PENDING'));
    const pending = await verify(app, { purchaseToken: token, userId: 'ada' });
    expect([pending.status, pending.body.status]).toEqual([200, 'none']);
    play.putProduct(token, bought());
    await service.askNow(app);
    expect((await entitlementOf(app, 'userId=ada')).body.status).toBe('none');
    clock.now += 7 * HOUR_MS;
    await service.askNow(app);
    expect((await entitlementOf(app, 'userId=ada')).body.entitled).toBe(true);
    expect(play.acknowledgements).toContain(token);
  });

  test('of a promo code has no order; one that was consumed entitles to nothing', async () => {
    const app = await connected();
    const [free, coins] = [newToken(), newToken()];
    play.putProduct(free, bought({ orderId: undefined }));
    const promo = await verify(app, { purchaseToken: free, userId: 'ada' });
    expect(promo.body).toMatchObject({ entitled: true, productId: 'forever' });
    const consumed = { consumptionState: 'CONSUMPTION_STATE_CONSUMED', quantity: 3 };
    const productLineItem = [{ productId: 'coins', productOfferDetails: consumed }];
    play.putProduct(coins, bought({ productLineItem }));
    const answer = await verify(app, { purchaseToken: coins, userId: 'bob' });
    expect([answer.status, answer.body.entitled]).toEqual([200, false]);
  });

  test('of several products entitles to each', async () => {
    const app = await connected();
    const token = newToken();
    const productLineItem = ['maps', 'voices'].map((productId) => ({ productId }));
    play.putProduct(token, bought({ productLineItem }));
    await verify(app, { purchaseToken: token, userId: 'ada' });
    for (const productId of ['maps', 'voices']) {
      const one = await entitlementOf(app, `userId=ada&productId=${productId}`);
      expect([productId, one.body.entitled]).toEqual([productId, true]);
    }
  });
});
