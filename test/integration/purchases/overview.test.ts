import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
clock.now = Date.UTC(2026, 9, 20, 12);
// After the snapshot of rates, before the first question.
await service.deps.rates.load('2026-01-01', '2026-01-02');
await service.deps.sql`
  INSERT INTO exchange_rates (day, currency, rate, revision) VALUES ('2026-10-09', 'USD', 1.25, 1)`;

const overview = async (app: PurchaseApp, query = '') =>
  service.call(`/v1/apps/${app.appId}/purchases/overview${query}`, { headers: app.org.key });
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe('the overview of purchases', () => {
  test('of an app without any is empty, not refused', async () => {
    const app = await service.app();
    const { status, body } = await overview(app);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: day(clock.now - 29 * DAY),
      to: day(clock.now),
      days: 30,
      asOf: new Date(clock.now).toISOString(),
      currency: 'USD',
      environment: 'Production',
      source: 'transactions',
      active: 0,
      mrrMinor: 0,
      mrrProceedsMinor: null,
      byProduct: [],
      byCountry: [],
    });
    expect(body.byDay).toHaveLength(30);
    expect(body.byDay.at(-1).isComplete).toBe(false);
    expect(body.byDay.at(-2).isComplete).toBe(true);
  });

  test('is of what the store told: trial, conversion, grace, refund, upgrade, sandbox apart', async () => {
    const app = await service.app();
    const start = clock.now - 25 * DAY;
    const tell = async (subscription: ReturnType<typeof buy>) => {
      for (const told of subscription.told) await service.deliver(subscription, told, app);
    };
    const paid = buy(app, start);
    const trial = buy(app, start, { trial: true, periodMs: 7 * DAY });
    trial.act('renew');
    const grace = buy(app, start, { periodMs: 21 * DAY });
    grace.act('failIntoGrace');
    const refunded = buy(app, start);
    refunded.wait(0.5);
    refunded.act('refund');
    const sandbox = buy(app, start, { environment: 'Sandbox' });
    const family = buy(app, start, { family: true });
    for (const one of [paid, trial, grace, refunded, sandbox, family]) await tell(one);
    const { body } = await overview(app);
    expect(body).toMatchObject({
      active: 2,
      grace: 1,
      trials: 0,
      familyShared: 1,
      historyPending: 5,
      refunds: { byPurchaseDay: { refunded: 1 }, byRefundDay: { count: 1 } },
      trialConversion: { started: 1, converted: 1, rate: null },
    });
    expect(body.subscriptions).toMatchObject({ start: 0, new: 4, churned: 2, end: 2 });
    expect((await overview(app, '?environment=Sandbox')).body).toMatchObject({ active: 1 });
    const shown = body.byDay.find((one: { day: string }) => one.day === day(start));
    expect(shown).toMatchObject({ active: 3, trials: 1, isComplete: true });
  });

  test('converts each transaction at the rate of its day, and names what it cannot', async () => {
    const app = await service.app();
    const subscription = buy(app, Date.UTC(2026, 9, 11, 3));
    Object.assign(subscription.newest, { price: 10_000, currency: 'EUR', storefront: 'DEU' });
    const unknown = buy(app, Date.UTC(2026, 9, 11, 3));
    Object.assign(unknown.newest, { price: 10_000, currency: 'XTS', storefront: 'DEU' });
    for (const one of [subscription, unknown]) {
      const verified = await service.call('/v1/purchases/verify', {
        headers: app.device,
        body: { signedTransaction: store.sign(one.newest) },
      });
      expect(verified.status).toBe(200);
    }
    expect((await overview(app)).body).toMatchObject({
      active: 2,
      mrrMinor: 1250,
      byCountry: [{ country: 'DEU', active: 2, mrrMinor: 1250 }],
      unconverted: [{ currency: 'XTS', active: 1, transactions: 1 }],
    });
    expect((await overview(app, '?currency=eur')).body).toMatchObject({
      currency: 'EUR',
      mrrMinor: 1000,
    });
  });

  test('is in the currency of the organization, which a question may leave for another', async () => {
    const app = await service.app();
    const other = await service.app();
    const settings = async (body?: object, of = app) =>
      service.call('/v1/organization/settings', {
        method: body ? 'PUT' : 'GET',
        headers: of.org.key,
        ...(body && { body }),
      });
    expect((await settings()).body).toEqual({ currency: 'USD' });
    const bought = buy(app, Date.UTC(2026, 9, 11, 3));
    // A third of a cent is rounded once, in the end: 9.99 a week is 39.96 € a month.
    Object.assign(bought.newest, { price: 9_990, currency: 'EUR', storefront: 'DEU' });
    bought.newest.expiresDate = bought.newest.purchaseDate + 7 * DAY;
    clock.now = Date.UTC(2026, 9, 17, 12);
    const verified = await service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction: store.sign(bought.newest) },
    });
    expect(verified.status).toBe(200);
    expect((await overview(app)).body).toMatchObject({ currency: 'USD', mrrMinor: 4995 });
    expect((await settings({ currency: 'eur' })).body).toEqual({ currency: 'EUR' });
    expect((await settings()).body).toEqual({ currency: 'EUR' });
    expect((await overview(app)).body).toMatchObject({
      currency: 'EUR',
      mrrMinor: 3996,
      byDay: expect.arrayContaining([
        expect.objectContaining({ day: '2026-10-11', mrrMinor: 3996 }),
      ]),
      unconverted: [],
    });
    expect((await overview(app, '?currency=usd')).body).toMatchObject({ mrrMinor: 4995 });
    const { body: sales } = await service.call('/v1/analytics', { headers: app.org.key });
    expect(sales.currency).toBe('EUR');

    const refused = await settings({ currency: 'XTS' });
    expect([refused.status, refused.body.error.hint]).toEqual([
      400,
      'currency: there are no exchange rates for it',
    ]);
    expect((await overview(app, '?currency=XTS')).status).toBe(400);
    expect((await settings(undefined, other)).body).toEqual({ currency: 'USD' });
    clock.now = Date.UTC(2026, 9, 20, 12);
  });

  test('has bounds, each with the field it names', async () => {
    const app = await service.app();
    const refused = async (query: string) => {
      const { status, body } = await overview(app, query);
      return [status, body.error.hint.split(':')[0]];
    };
    expect(await refused('?days=0')).toEqual([400, 'days']);
    expect(await refused('?days=401')).toEqual([400, 'days']);
    expect(await refused('?from=2026-10-20&to=2026-10-10')).toEqual([400, 'from']);
    expect(await refused('?from=2020-01-01')).toEqual([400, 'from']);
    expect(await refused('?to=2030-01-01')).toEqual([400, 'to']);
    expect(await refused('?from=2026-10-01&to=2026-10-02&days=2')).toEqual([400, 'days']);
    expect(await refused('?currency=euro')).toEqual([400, 'currency']);
    expect(await refused('?environment=Xcode')).toEqual([400, 'environment']);
    const past = await overview(app, '?from=2026-09-01&to=2026-09-10');
    expect(past.body).toMatchObject({ days: 10, asOf: '2026-09-11T00:00:00.000Z' });
    expect((await overview(app, '?to=2026-09-10&days=3')).body.from).toBe('2026-09-08');
    expect((await overview(app, '?from=2026-09-10&days=3')).body.to).toBe('2026-09-12');
  });

  test('is of the caller’s own app only', async () => {
    const app = await service.app();
    const other = await service.app();
    const path = `/v1/apps/${app.appId}/purchases/overview`;
    expect((await service.call(path, { headers: other.org.key })).status).toBe(404);
    expect((await service.call(path, { headers: app.device })).status).toBe(401);
  });
});
