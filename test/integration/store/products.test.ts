import { expect, test } from 'bun:test';
import { refreshAppsDaily } from '../../../src/modules/sales/index.ts';
import { at } from '../../../src/shared/assert.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { placeConnection, startStoreSuite } from '../../support/store.ts';

const DAY = 86_400_000;

test('products of the store can stand under names, and a key without the role leaves those seen', async () => {
  const suite = await startStoreSuite(await testDatabase());
  const org = await createTestOrg(suite);
  const { appId } = await createTestApp(suite, org.orgId);
  const [first] = suite.store.account.apps;
  const ask = (change: object = {}) =>
    suite.call(`/v1/apps/${appId}/entitlements`, { headers: org.key, ...change });
  const refresh = () => suite.call('/v1/store/apps/refresh', { method: 'POST', headers: org.key });
  await placeConnection(suite, org.orgId);
  await refreshAppsDaily(suite.ctx, { orgId: org.orgId });
  expect((await ask()).body).toEqual({ entitlements: [], products: [] });

  const body = { storeAppId: first!.id, appId };
  expect((await suite.call('/v1/store/apps/link', { headers: org.key, body })).status).toBe(200);
  const seen = { isBought: false, isReported: false };
  const { products } = (await ask()).body;
  expect(products).toHaveLength(4);
  expect(products[1]).toEqual({
    ...{ id: first!.products[1]!.sku, ...seen },
    listed: {
      ...{ name: first!.products[1]!.name, kind: 'auto_renewable', period: 'P1M', level: 1 },
      ...{ group: { id: `${first!.id}1`, name: 'Pro' }, familySharable: false, state: 'approved' },
    },
  });
  const productIds = [at(first!.products, 1).sku, at(first!.products, 2).sku];
  const put = { method: 'PUT', body: { entitlements: [{ name: 'pro', productIds }] } };
  expect((await ask(put)).status).toBe(200);

  at(first!.products, 1).state = 'REMOVED_FROM_SALE';
  first!.products.pop();
  suite.setNow(new Date(suite.deps.clock().getTime() + DAY));
  await refreshAppsDaily(suite.ctx, { orgId: org.orgId });
  const later = (await ask()).body.products;
  expect(later).toHaveLength(3);
  expect(later[1].listed.state).toBe('removed_from_sale');

  suite.store.account.catalogueAllowed = false;
  expect((await refresh()).status).toBe(200);
  const refused = (await ask()).body;
  expect(refused.isCatalogueRefused).toBe(true);
  expect(refused.products).toEqual(later);
  const connection = await suite.call('/v1/store/connection', { headers: org.key });
  expect(connection.body).toMatchObject({ status: 'connected', lastError: null });
  suite.store.account.catalogueAllowed = true;
  await refresh();
  expect((await ask()).body).not.toHaveProperty('isCatalogueRefused');
});
