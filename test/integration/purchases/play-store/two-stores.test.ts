import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../../src/shared/time.ts';
import { newToken, type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { askNow, clock, connected, play, sell, verify } = service;

const read = async (app: PlayApp, path: string) =>
  (await service.call(`/v1/apps/${app.appId}/purchases/${path}`, { headers: app.org.key })).body;

const euros = (units: number) => ({ currencyCode: 'EUR', units: String(units), nanos: 0 });

test('figures say what each store has, and one of them can be asked for', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token, orderId: 'GPA.figures' });
  play.putOrder('GPA.figures', euros(5));
  await verify(app, token);
  clock.now += HOUR_MS;
  const both = await read(app, 'overview?currency=EUR');
  expect(both).toMatchObject({ active: 1, mrrMinor: 500 });
  expect(both.byStore).toMatchObject([{ store: 'google_play', active: 1, mrrMinor: 500 }]);
  expect(both.mrrProceedsMissing).toMatchObject({ active: 1, mrrMinor: 500 });
  const google = await read(app, 'overview?currency=EUR&store=google_play');
  expect(google).toMatchObject({ active: 1, mrrMinor: 500, reported: null });
  const apple = await read(app, 'overview?currency=EUR&store=app_store');
  expect([apple.active, apple.byStore]).toEqual([0, undefined]);

  const revenue = await read(app, 'revenue?currency=EUR&timezone=UTC');
  expect(revenue.totals).toMatchObject({ purchases: 1, grossMinor: 500 });
  expect(revenue.byStore).toMatchObject([{ store: 'google_play', netMinor: 500 }]);
  const ofGoogle = await read(app, 'revenue?currency=EUR&timezone=UTC&store=google_play');
  expect(ofGoogle).toMatchObject({ reported: null, reportedMissing: 'not_of_this_store' });
  expect((await read(app, 'revenue?store=app_store')).totals.purchases).toBe(0);
});

test('an app without Google Play sees nothing new', async () => {
  const app = await service.app();
  expect(await read(app, 'overview')).not.toHaveProperty('byStore');
  expect(await read(app, 'revenue')).not.toHaveProperty('byStore');
});

test('a price that Google did not tell is the list price, and read later', async () => {
  const app = await connected();
  const token = newToken();
  sell(
    { token, orderId: 'GPA.unread' },
    {
      lineItems: [
        {
          productId: 'pro',
          expiryTime: new Date(clock.now + 30 * DAY_MS).toISOString(),
          latestSuccessfulOrderId: 'GPA.unread',
          autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: euros(12) },
        },
      ],
    },
  );
  play.putOrder('GPA.unread', euros(3));
  play.setOrders(false);
  await verify(app, token);
  play.setOrders(true);
  clock.now += HOUR_MS;
  expect((await read(app, 'overview?currency=EUR')).mrrMinor).toBe(1_200);
  for (const figures of ['overview', 'revenue']) {
    const pending = async (store: string) =>
      (await read(app, `${figures}?store=${store}`)).historyPending;
    expect([await pending('google_play'), await pending('app_store')]).toEqual([1, 0]);
  }
  clock.now += 6 * HOUR_MS;
  await askNow(app);
  expect((await read(app, 'overview?currency=EUR')).mrrMinor).toBe(300);
});

test('plans of one product have each their own length', async () => {
  const app = await connected();
  for (const [at, days] of [30, 30, 365].entries()) {
    const token = newToken();
    const orderId = `GPA.length-${at}`;
    const expiryTime = new Date(clock.now + days * DAY_MS).toISOString();
    const line = { productId: 'pro', expiryTime, latestSuccessfulOrderId: orderId };
    sell({ token, orderId }, { lineItems: [{ ...line, autoRenewingPlan: {} }] });
    play.putOrder(orderId, euros(days === 365 ? 120 : 12));
    await verify(app, token, `user-${at}`);
  }
  clock.now += HOUR_MS;
  expect((await read(app, 'overview?currency=EUR')).mrrMinor).toBe(1_200 + 1_200 + 1_000);
});
