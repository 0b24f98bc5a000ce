import { expect, test } from 'bun:test';
import {
  insertFacts,
  insertSubscriptions,
  upsertDay,
} from '../../../src/modules/sales/days/queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { connectStore, linkStoreApp, STORE_APP, VENDOR } from '../../support/purchase-reports.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;
const { sql } = service.deps;
clock.now = Date.UTC(2026, 9, 20, 12);
const STORE_ID = '777';

const connect = (app: PurchaseApp) => connectStore(service, app);
const linkApp = (app: PurchaseApp) => linkStoreApp(service, app);

type Row = { country: string; currency: string; price: string; proceeds: string; paid: number };

/** A day of the SUBSCRIPTION report, and one sale that names the product. */
async function report(app: PurchaseApp, day: string, rows: readonly Row[]): Promise<void> {
  const scope = { orgId: app.org.orgId, vendorNumber: VENDOR, day };
  const update = (count: number) => ({
    ...{ state: 'reported' as const, checkedAt: new Date(clock.now), emptySeenAt: null },
    ...{ lastError: null, facts: { contentHash: null, rows: count } },
  });
  await sql.begin(async (tx) => {
    const subscriptions = { ...scope, reportType: 'SUBSCRIPTION' as const };
    await upsertDay(tx, subscriptions, update(rows.length));
    await insertSubscriptions(
      tx,
      subscriptions,
      rows.map((row, line) => ({
        ...{ line, storeAppId: STORE_APP, subscriptionId: STORE_ID, name: 'Pro', groupId: '1' },
        ...{ duration: '6 Months', offerName: '', offerId: '', preservedPrice: false },
        ...{ customerPrice: row.price, customerCurrency: row.currency, proceeds: row.proceeds },
        ...{ proceedsCurrency: row.currency, country: row.country, device: 'iPhone' },
        ...{ plan: 'standard' as const, paid: row.paid, trials: 0, optIns: 0, grace: 0 },
        billingRetry: 0,
      })),
    );
    const sales = { ...scope, reportType: 'SALES' as const };
    await upsertDay(tx, sales, update(1));
    await insertFacts(tx, sales, [
      {
        ...{ line: 1, storeId: STORE_ID, parentStoreId: null, sku: 'pro.monthly', units: '1' },
        ...{ parentSku: 'FOCUS', title: 'Pro', productType: 'IAY', country: 'FR', trials: 0 },
        ...{
          device: 'iPhone',
          bundleCredit: false,
          isRenewal: null,
          proceeds: '3',
          proceedsCurrency: 'EUR',
        },
        ...{ customerSpend: '10', customerCurrency: 'EUR' },
      },
    ]);
  });
}

const DAY_END = Date.UTC(2026, 9, 18, 7);

const overview = async (app: PurchaseApp, query = '') =>
  (await service.call(`/v1/apps/${app.appId}/purchases/overview${query}`, { headers: app.org.key }))
    .body;

test('MRR by what is paid out comes from the reports, and says why it is not known', async () => {
  const app = await service.app();
  const buyIn = async (storefront: string, currency: string) => {
    const bought = buy(app, clock.now - 5 * DAY, { periodMs: 30 * DAY });
    Object.assign(bought.newest, { price: 12_000, currency, storefront, productId: 'pro.monthly' });
    const answer = await service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction: store.sign(bought.newest) },
    });
    expect(answer.status).toBe(200);
  };
  await buyIn('USA', 'USD');
  const missing = { active: 1, mrrMinor: 1200 };
  const unknown = (reason: string) => ({
    mrrProceedsMinor: null,
    mrrProceedsMissing: { ...missing, reason },
  });
  expect(await overview(app)).toMatchObject(unknown('store_not_connected'));
  await connect(app);
  expect(await overview(app)).toMatchObject(unknown('app_not_linked'));
  await linkApp(app);
  expect(await overview(app)).toMatchObject(unknown('no_report'));

  // Months ago the share was another.
  await report(app, '2026-08-01', [
    { country: 'US', currency: 'USD', price: '12', proceeds: '1', paid: 1 },
  ]);
  await report(app, '2026-10-17', [
    { country: 'US', currency: 'USD', price: '12', proceeds: '8.4', paid: 3 },
    { country: 'US', currency: 'USD', price: '12', proceeds: '10.2', paid: 1 },
    { country: 'FR', currency: 'EUR', price: '12', proceeds: '6', paid: 1 },
  ]);
  // Six months of 12.00 are 2.00 a month; (3 × 8.4 + 10.2) ÷ 48 of it are paid out.
  expect(await overview(app)).toMatchObject({
    mrrMinor: 200,
    mrrProceedsMinor: Math.round(200 * (35.4 / 48)),
    mrrProceedsMissing: null,
  });
  expect(await overview(app, '?to=2026-10-16')).toMatchObject({
    mrrProceedsMinor: Math.round(200 / 12),
  });

  // France has a snapshot, which counts before sales; Germany has neither.
  await buyIn('FRA', 'EUR');
  await buyIn('DEU', 'EUR');
  expect(await overview(app, '?currency=EUR')).toMatchObject({
    mrrProceedsMissing: { reason: 'not_in_reports', active: 1, mrrMinor: 200 },
  });
  expect(await overview(app, '?environment=Sandbox')).toMatchObject({
    mrrProceedsMinor: null,
    mrrProceedsMissing: { reason: 'sandbox', active: 0 },
  });
  const other = await service.app();
  expect(await overview(other)).toMatchObject({
    mrrProceedsMissing: { reason: 'store_not_connected', active: 0 },
  });
});

test('an overview says how many of the reported subscribers are known by name', async () => {
  const app = await service.app();
  const buyIn = async (at: number, holder: object) => {
    const bought = buy(app, at, { periodMs: 30 * DAY });
    if (!('told' in holder)) {
      const body = { signedTransaction: store.sign(bought.newest), ...holder };
      const answer = await service.call('/v1/purchases/verify', { headers: app.device, body });
      expect(answer.status).toBe(200);
    } else for (const told of bought.told) await service.deliver(bought, told, app);
  };
  await buyIn(clock.now - 5 * DAY, { userId: 'somebody' });
  await buyIn(clock.now - 5 * DAY, { anonymousId: 'anonymous-1' });
  // Told by the store alone: nobody holds it.
  await buyIn(clock.now - 5 * DAY, { told: true });
  // After the last reported Pacific day, which ends at seven in the morning.
  await buyIn(DAY_END, { userId: 'late' });
  expect((await overview(app)).reported).toBeNull();
  await connect(app);
  await linkApp(app);
  const row = { country: 'US', currency: 'USD', price: '12', proceeds: '8.4' };
  await report(app, '2026-10-16', [{ ...row, paid: 49 }]);
  await report(app, '2026-10-17', [
    { ...row, paid: 40 },
    { ...row, currency: 'CAD', paid: 40 },
  ]);
  const known = { active: 3, known: 2 };
  const newest = { day: '2026-10-17', paid: 80, ...known, share: 2 / 80 };
  const { reported, active } = await overview(app);
  expect({ reported, active }).toEqual({ reported: newest, active: 4 });
  // A window that begins after the report, one that ends before it, and one before all reports.
  expect((await overview(app, '?days=1')).reported).toEqual(newest);
  const before = { day: '2026-10-16', paid: 49, ...known, share: null };
  expect((await overview(app, '?to=2026-10-17')).reported).toEqual(before);
  expect((await overview(app, '?to=2026-10-10')).reported).toBeNull();
  expect((await overview(app, '?environment=Sandbox')).reported).toBeNull();
});
