import { expect, test } from 'bun:test';
import { link, upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { insertFacts, insertSubscriptions } from '../../../src/modules/sales/days/queries.ts';
import { listPriceChanges } from '../../../src/modules/sales/index.ts';
import type { SalesFact, SubscriptionFact } from '../../../src/providers/store/port.ts';
import { addDays, eachDay } from '../../../src/shared/pacific.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const suite = await startStoreSuite(await testDatabase());
const { sql } = suite.deps;
const STORE_APPS = [
  { storeAppId: '900', name: 'Focus', bundleId: 'com.example.focus', sku: 'FOCUS' },
  { storeAppId: '901', name: 'Other', bundleId: 'com.example.other', sku: 'OTHER' },
];
const [FIRST, CHANGED, LAST] = ['2026-05-01', '2026-06-10', '2026-06-30'];

const sold = (line: number, change: Partial<SalesFact>): SalesFact => ({
  line,
  storeId: '555',
  parentStoreId: null,
  sku: 'coins',
  parentSku: 'FOCUS',
  title: 'Coins',
  productType: 'IA1',
  country: 'US',
  device: 'iPhone',
  units: '2',
  bundleCredit: false,
  isRenewal: null,
  trials: 0,
  proceeds: '1.4',
  proceedsCurrency: 'USD',
  customerSpend: '1.98',
  customerCurrency: 'USD',
  ...change,
});
const subscribed = (line: number, change: Partial<SubscriptionFact>): SubscriptionFact => ({
  line,
  storeAppId: '900',
  subscriptionId: '777',
  name: 'Pro yearly',
  groupId: '1',
  duration: '1 Year',
  offerName: '',
  offerId: '',
  customerPrice: '4500',
  customerCurrency: 'JPY',
  proceeds: '3150',
  proceedsCurrency: 'JPY',
  preservedPrice: false,
  country: 'JP',
  device: 'iPhone',
  plan: 'standard',
  paid: 40,
  trials: 0,
  optIns: 0,
  grace: 0,
  billingRetry: 0,
  ...change,
});

async function seeded() {
  const { orgId } = await createTestOrg(suite);
  const { appId } = await createTestApp(suite, orgId);
  await placeConnection(suite, orgId);
  await upsertStoreApps(sql, orgId, STORE_APPS);
  await sql.begin((tx) => link(tx, orgId, { storeAppId: '900', appId, at: NOON }));
  const scope = { orgId, vendorNumber: suite.store.account.vendorNumber };
  await sql.begin(async (tx) => {
    for (const day of eachDay(FIRST, LAST)) {
      const isNew = day >= CHANGED;
      const sales = { ...scope, reportType: 'SALES', day } as const;
      await insertFacts(tx, sales, [
        sold(1, isNew ? { customerSpend: '2.58' } : {}),
        // Another app, a refund, a free unit and the sale of a subscription change no price.
        sold(2, { parentSku: 'OTHER', storeId: '556', customerSpend: isNew ? '4' : '2' }),
        sold(3, { units: '-1', customerSpend: '-0.5' }),
        sold(4, { customerSpend: '0' }),
        sold(5, {
          storeId: '777',
          sku: 'pro.yearly',
          productType: 'IAY',
          units: '1',
          customerSpend: isNew ? '60' : '45',
        }),
      ]);
      const snapshot = { ...scope, reportType: 'SUBSCRIPTION', day } as const;
      await insertSubscriptions(tx, snapshot, [
        subscribed(1, { preservedPrice: isNew }),
        subscribed(2, { plan: 'introductory', customerPrice: isNew ? '100' : '200' }),
        ...(isNew ? [subscribed(3, { customerPrice: '6000', paid: 1 })] : []),
      ]);
    }
  });
  return { orgId, appId };
}

test('price changes are told by day, product, country and currency', async () => {
  const { orgId, appId } = await seeded();
  const ask = (from: string, to: string, of = { orgId, appId }) =>
    listPriceChanges({ sql }, { ...of, from, to });
  const found = await ask(FIRST, LAST);
  expect(found).toEqual([
    {
      day: CHANGED,
      productId: 'coins',
      productName: 'Coins',
      country: 'US',
      currency: 'USD',
      fromMinor: 99,
      toMinor: 129,
    },
    {
      day: CHANGED,
      productId: 'pro.yearly',
      productName: 'Pro yearly',
      country: 'JP',
      currency: 'JPY',
      fromMinor: 4500,
      toMinor: 6000,
    },
  ]);
  expect(await ask(CHANGED, CHANGED)).toEqual(found);
  expect(await ask(addDays(CHANGED, 1), LAST)).toEqual([]);
  expect(await ask(FIRST, addDays(CHANGED, -1))).toEqual([]);

  const other = await createTestOrg(suite);
  expect(await ask(FIRST, LAST, { orgId: other.orgId, appId })).toEqual([]);
  const { appId: unlinked } = await createTestApp(suite, orgId);
  expect(await ask(FIRST, LAST, { orgId, appId: unlinked })).toEqual([]);
});
