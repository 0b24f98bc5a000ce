import { describe, expect, test } from 'bun:test';
import { insertFacts, upsertDay } from '../../../src/modules/sales/days/queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { connectStore, linkStoreApp, VENDOR } from '../../support/purchase-reports.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
const { sql } = service.deps;
clock.now = Date.UTC(2026, 9, 20, 12);
await service.deps.rates.load('2026-01-01', '2026-01-02');
await sql`
  INSERT INTO exchange_rates (day, currency, rate, revision) VALUES ('2026-10-09', 'USD', 1.25, 1)`;

const revenue = (app: PurchaseApp, query = '', headers = {}) =>
  service.call(`/v1/apps/${app.appId}/purchases/revenue${query}`, {
    headers: { ...app.org.key, ...headers },
  });

async function sell(app: PurchaseApp, atMs: number, signed: object, days = 30): Promise<void> {
  const bought = buy(app, atMs, { periodMs: days * DAY });
  Object.assign(bought.newest, { productId: 'pro.monthly', storefront: 'USA' }, signed);
  const answer = await service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { signedTransaction: store.sign(bought.newest) },
  });
  expect(answer.status).toBe(200);
}

async function report(app: PurchaseApp, day: string, spend: string, units: string): Promise<void> {
  const key = { orgId: app.org.orgId, vendorNumber: VENDOR, day, reportType: 'SALES' as const };
  const update = {
    ...{ state: 'reported' as const, checkedAt: new Date(clock.now), emptySeenAt: null },
    ...{ lastError: null, facts: { contentHash: null, rows: 1 } },
  };
  await sql.begin(async (tx) => {
    await upsertDay(tx, key, update);
    await insertFacts(tx, key, [
      {
        ...{ line: 1, storeId: '777', parentStoreId: null, sku: 'pro.monthly', units },
        ...{ parentSku: 'FOCUS', title: 'Pro', productType: 'IAY', country: 'US', trials: 0 },
        ...{ device: 'iPhone', bundleCredit: false, isRenewal: null, proceedsCurrency: 'USD' },
        ...{ proceeds: '8.49', customerSpend: spend, customerCurrency: 'USD' },
      },
    ]);
  });
}

describe('the revenue of an app', () => {
  test('without a purchase is nothing, of thirty days', async () => {
    const app = await service.app();
    const { status, body } = await revenue(app);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ from: '2026-09-21', to: '2026-10-20', interval: 'day', currency: 'USD' },
      totals: { purchases: 0, grossMinor: 0, netMinor: 0, proceedsMinor: 0 },
      reported: null,
      reportedMissing: 'store_not_connected',
    });
    expect(body.points).toHaveLength(30);
    expect(body.points.at(-1).isComplete).toBe(false);
  });

  test('is cash on its day, converted once, with the offer and the kind', async () => {
    const app = await service.app();
    await sell(app, Date.UTC(2026, 9, 11, 3), { price: 9_990, currency: 'USD' });
    await sell(app, Date.UTC(2026, 9, 11, 4), {
      ...{ price: 10_000, currency: 'EUR', storefront: 'DEU' },
      ...{ offerType: 2, offerIdentifier: 'spring', offerDiscountType: 'PAY_AS_YOU_GO' },
    });
    await sell(app, Date.UTC(2026, 9, 11, 5), { price: 10_000, currency: 'XTS' });
    const { body } = await revenue(app, '?from=2026-10-11&to=2026-10-11&timezone=UTC');
    expect(body).toMatchObject({
      totals: { purchases: 3, grossMinor: 2249, netMinor: 2249 },
      byCountry: [
        { country: 'DEU', grossMinor: 1250 },
        { country: 'USA', grossMinor: 999, purchases: 2 },
      ],
      byOffer: [
        { offer: 'promotional:spring', grossMinor: 1250 },
        { offer: 'none', grossMinor: 999 },
      ],
      currencies: [
        { currency: 'EUR', grossMinor: 1000 },
        { currency: 'USD', grossMinor: 999 },
        { currency: 'XTS', grossMinor: 1000 },
      ],
      unconverted: [{ currency: 'XTS', purchases: 1 }],
    });
    expect(body.byKind[0]).toMatchObject({ kind: 'new', purchases: 3 });
    const germany = await revenue(app, '?days=30&country=DEU&offer=promotional:spring');
    expect(germany.body.totals).toMatchObject({ purchases: 1, grossMinor: 1250 });
    // 20:00 of the day before, in California.
    const before = await revenue(
      app,
      '?from=2026-10-10&to=2026-10-10&timezone=America/Los_Angeles',
    );
    expect(before.body.totals.purchases).toBe(3);
    expect((await revenue(app, '?environment=Sandbox')).body).toMatchObject({
      totals: { purchases: 0 },
      reportedMissing: 'sandbox',
    });
  });

  test("stands beside the store's sales, and the reasons add up to the difference", async () => {
    const app = await service.app();
    await connectStore(service, app);
    await sell(app, Date.UTC(2026, 9, 17, 12), { price: 9_990, currency: 'USD' });
    // Of UTC's 18th, the store's 17th.
    await sell(app, Date.UTC(2026, 9, 18, 5), { price: 9_990, currency: 'USD' });
    await sell(app, Date.UTC(2026, 9, 19, 20), { price: 4_990, currency: 'USD' });
    expect((await revenue(app)).body.reportedMissing).toBe('app_not_linked');
    await linkStoreApp(service, app);
    await report(app, '2026-10-17', '9.99', '3');
    await report(app, '2026-10-18', '9.99', '0');
    const { body } = await revenue(app, '?from=2026-10-17&to=2026-10-19&timezone=UTC');
    expect(body.reportedMissing).toBeNull();
    expect(body.totals.netMinor).toBe(2497);
    expect(body.reported).toMatchObject({
      from: '2026-10-17',
      to: '2026-10-19',
      daysMissing: 1,
      differenceMinor: 2497 - body.reported.customerSpendMinor,
      explained: { daysMinor: 0, notReportedMinor: 499, onlySignedMinor: 0, onlyReportedMinor: 0 },
    });
    const { explained, differenceMinor } = body.reported;
    const parts: number[] = Object.values(explained);
    expect(parts.reduce((sum, one) => sum + one, 0)).toBe(differenceMinor);
    // The 18th of UTC holds one sale that the store has on the 17th.
    const day = await revenue(app, '?from=2026-10-18&to=2026-10-18&timezone=UTC');
    expect(day.body.reported.explained.daysMinor).toBe(999);
    expect((await revenue(app, '?kind=new')).body.reportedMissing).toBe('not_by_offer_or_kind');
  });

  test('is CSV where that is asked for, and refuses what it cannot read', async () => {
    const app = await service.app();
    await sell(app, Date.UTC(2026, 9, 17, 12), { price: 9_990, currency: 'USD' });
    const csv = await revenue(app, '?from=2026-10-17&to=2026-10-18', { accept: 'text/csv' });
    expect(csv.text.split('\r\n')).toEqual([
      'from,to,currency,purchases,grossMinor,refundsByPurchaseDay,refundsByPurchaseDayMinor,refundsByRefundDay,refundsByRefundDayMinor,netMinor,proceedsMinor,withoutShareMinor',
      '"2026-10-17","2026-10-17","USD",1,999,0,0,0,0,999,,999',
      '"2026-10-18","2026-10-18","USD",0,0,0,0,0,0,0,0,0',
      '',
    ]);
    for (const query of [
      ...['?from=2026-10-18&to=2026-10-17', '?to=2027-01-01', '?days=3&from=2026-10-01'],
      ...['?from=2020-01-01', '?timezone=Mars/Olympus', '?country=de', '?interval=hour'],
    ]) {
      expect([query, (await revenue(app, query)).status]).toEqual([query, 400]);
    }
  });
});
