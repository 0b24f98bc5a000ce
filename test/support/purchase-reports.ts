import { link, upsertStoreApps } from '../../src/modules/sales/collection/apps-queries.ts';
import {
  insertCandidate,
  promoteCandidate,
} from '../../src/modules/sales/collection/connection-queries.ts';
import {
  insertFacts,
  insertSubscriptions,
  upsertDay,
} from '../../src/modules/sales/days/queries.ts';
import type { PurchaseApp, PurchaseService } from './purchase-service.ts';

export const VENDOR = '80012345';
export const STORE_APP = '900';

type Service = Pick<PurchaseService, 'clock' | 'deps'>;

/** A connection to the store of the app's organization, without asking anybody. */
export async function connectStore({ clock, deps }: Service, { org }: PurchaseApp): Promise<void> {
  const { orgId } = org;
  const connectionId = crypto.randomUUID();
  await insertCandidate(deps.sql, {
    ...{ connectionId, orgId, issuerId: 'i', keyId: 'k', vendorNumber: VENDOR },
    ...{ sealedKey: 'sealed', teamId: null, teamType: null, createdAt: new Date(clock.now) },
  });
  await promoteCandidate(deps.sql, orgId, connectionId, new Date(clock.now));
}

export async function linkStoreApp(
  { clock, deps }: Service,
  { appId, org, bundleId }: PurchaseApp,
): Promise<void> {
  const { orgId } = org;
  await upsertStoreApps(deps.sql, orgId, [
    { storeAppId: STORE_APP, name: 'Focus', bundleId, sku: 'FOCUS' },
  ]);
  const at = new Date(clock.now);
  await deps.sql.begin((tx) => link(tx, orgId, { storeAppId: STORE_APP, appId, at }));
}

/** A day of the SUBSCRIPTION report that calls the length of each product, and a sale of each. */
export async function reportLengths(
  { clock, deps }: Service,
  app: PurchaseApp,
  day: string,
  lengths: Readonly<Record<string, string>>,
): Promise<void> {
  const scope = { orgId: app.org.orgId, vendorNumber: VENDOR, day };
  const products = Object.entries(lengths).map(([sku, duration], line) => ({
    ...{ sku, duration, line, storeId: String(777 + line) },
  }));
  const update = {
    ...{ state: 'reported' as const, checkedAt: new Date(clock.now), emptySeenAt: null },
    ...{ lastError: null, facts: { contentHash: null, rows: products.length } },
  };
  await deps.sql.begin(async (tx) => {
    const subscriptions = { ...scope, reportType: 'SUBSCRIPTION' as const };
    await upsertDay(tx, subscriptions, update);
    await insertSubscriptions(
      tx,
      subscriptions,
      products.map(({ line, duration, storeId, sku }) => ({
        ...{ line, storeAppId: STORE_APP, subscriptionId: storeId, name: sku, groupId: '1' },
        ...{ duration, offerName: '', offerId: '', preservedPrice: false, country: 'US' },
        ...{ customerPrice: '10', customerCurrency: 'USD', proceeds: '7', device: 'iPhone' },
        ...{ proceedsCurrency: 'USD', plan: 'standard' as const, paid: 1, trials: 0, optIns: 0 },
        ...{ grace: 0, billingRetry: 0 },
      })),
    );
    const sales = { ...scope, reportType: 'SALES' as const };
    await upsertDay(tx, sales, update);
    await insertFacts(
      tx,
      sales,
      products.map(({ line, storeId, sku }) => ({
        ...{ line, storeId, parentStoreId: null, sku, parentSku: 'FOCUS', title: sku },
        ...{ productType: 'IAY', country: 'US', device: 'iPhone', units: '1', trials: 0 },
        ...{ bundleCredit: false, isRenewal: null, proceeds: '7', proceedsCurrency: 'USD' },
        ...{ customerSpend: '10', customerCurrency: 'USD' },
      })),
    );
  });
}
