import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../../src/shared/time.ts';
import { newToken, type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { askNow, clock, connected, entitlement, play, questionsAbout, sell, verify } = service;

const revenue = async (app: PlayApp) => {
  const path = `/v1/apps/${app.appId}/purchases/revenue?currency=EUR&timezone=UTC&days=90`;
  return (await service.call(path, { headers: app.org.key })).body.totals;
};

describe('a change of plan that waits for its money', () => {
  const begin = async () => {
    const app = await connected();
    const [old, next] = [newToken(), newToken()];
    sell({ token: old, productId: 'basic' });
    const first = await verify(app, old);
    const pending = (state: string) =>
      sell(
        { token: next, productId: 'pro', state, orderId: null },
        { linkedPurchaseToken: old, startTime: undefined },
      );
    pending('PENDING');
    const waiting = await verify(app, next);
    expect(waiting.body).toMatchObject({ entitled: true, productId: 'basic' });
    expect(waiting.body.originalTransactionId).toBe(first.body.originalTransactionId);
    return { app, old, next, pending };
  };

  test('leaves the old plan as it is, and so does its end', async () => {
    const { app, old, pending } = await begin();
    pending('PENDING_PURCHASE_CANCELED');
    clock.now += 7 * HOUR_MS;
    await askNow(app);
    clock.now += 30 * DAY_MS;
    sell({ token: old, productId: 'basic' });
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: true, productId: 'basic' });
  });

  test('does not hide what Google says of the old plan past its end', async () => {
    const { app, old } = await begin();
    clock.now += 31 * DAY_MS;
    sell({ token: old, productId: 'basic' });
    expect(await entitlement(app)).toMatchObject({ entitled: true, status: 'active' });
  });

  test('ends the old plan once it is paid', async () => {
    const { app, old, next } = await begin();
    clock.now += 7 * HOUR_MS;
    sell({ token: old, productId: 'basic', state: 'EXPIRED' });
    sell({ token: next, productId: 'pro' }, { linkedPurchaseToken: old });
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: true, productId: 'pro' });
    expect((await revenue(app)).purchases).toBe(2);
  });
});

describe('a replaced token', () => {
  test('is asked about once more: its last order may be unknown', async () => {
    const app = await connected();
    const [old, next] = [newToken(), newToken()];
    sell({ token: old, productId: 'basic', orderId: 'GPA.last' });
    await verify(app, old);
    clock.now += 30 * DAY_MS;
    sell({ token: old, productId: 'basic', orderId: 'GPA.last..0', state: 'EXPIRED' });
    sell({ token: next, productId: 'pro' }, { linkedPurchaseToken: old });
    await verify(app, next);
    await askNow(app);
    clock.now += HOUR_MS;
    expect((await revenue(app)).purchases).toBe(3);
    expect(await entitlement(app)).toMatchObject({ entitled: true, productId: 'pro' });
    const asked = questionsAbout(old);
    clock.now += DAY_MS;
    await askNow(app);
    expect(questionsAbout(old)).toBe(asked);
  });

  test('that Google has no longer is not asked about again', async () => {
    const app = await connected();
    const [gone, next] = [newToken(), newToken()];
    sell({ token: next }, { linkedPurchaseToken: gone });
    await verify(app, next);
    await askNow(app);
    const asked = questionsAbout(gone);
    expect(asked).toBeGreaterThan(0);
    clock.now += DAY_MS;
    await askNow(app);
    expect(questionsAbout(gone)).toBe(asked);
    expect((await entitlement(app)).entitled).toBe(true);
  });

  test('whose money is given back is a refund', async () => {
    const app = await connected();
    const [old, next] = [newToken(), newToken()];
    sell({ token: old, productId: 'basic', orderId: 'GPA.given-back' });
    await verify(app, old);
    clock.now += HOUR_MS;
    sell({ token: next, productId: 'pro' }, { linkedPurchaseToken: old });
    await verify(app, next);
    play.addVoided({
      purchaseToken: next,
      orderId: 'GPA.given-back',
      voidedTimeMillis: String(clock.now),
    });
    for (let hours = 0; hours < 3; hours += 1) {
      clock.now += HOUR_MS;
      await askNow(app);
      await verify(app, next);
    }
    expect(await revenue(app)).toMatchObject({
      purchases: 2,
      refunds: { byRefundDay: { count: 1 } },
    });
    expect(await entitlement(app)).toMatchObject({ entitled: true, productId: 'pro' });
  });
});

test('time on hold is no period', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token, orderId: 'GPA.held' });
  await verify(app, token);
  const startTime = new Date(clock.now).toISOString();
  clock.now += 40 * DAY_MS;
  sell({ token, orderId: 'GPA.held..0' }, { startTime });
  const recovered = new Date(clock.now - DAY_MS).toISOString();
  play.putOrder('GPA.held..0', { currencyCode: 'EUR', units: '9' }, recovered);
  await verify(app, token);
  clock.now += HOUR_MS;
  const path = `/v1/apps/${app.appId}/purchases/overview?days=60`;
  const { body } = await service.call(path, { headers: app.org.key });
  const { new: begun, churned, returned, end } = body.subscriptions;
  expect([begun, churned, returned, end]).toEqual([1, 1, 1, 1]);
});
