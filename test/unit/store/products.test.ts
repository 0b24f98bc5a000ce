import { afterAll, expect, test } from 'bun:test';
import { createStoreClient } from '../../../src/providers/store/client.ts';
import { StoreFault } from '../../../src/providers/store/port.ts';
import { PRODUCT_STATES } from '../../../src/shared/store-product.ts';
import { startStoreSimulator } from '../../simulators/store/server.ts';
import { openGate } from '../../support/open-gate.ts';

const NOW = new Date('2026-03-10T18:00:00Z');
const store = await startStoreSimulator({ seed: 7, now: () => NOW });
afterAll(() => store.stop());
const client = createStoreClient({
  baseUrl: store.url,
  clock: () => NOW,
  gate: (_keyId, request) => request(),
  limits: openGate,
  timeoutMs: 2_000,
});
const [key] = store.account.keys;
const [app] = store.account.apps;
const list = () => client.listProducts(key!, app!.id);

test('products are those of the store, of every kind, with what is known of them', async () => {
  const [coins, monthly, yearly, season] = app!.products;
  Object.assign(yearly!, { family: true });
  const common = { familySharable: false, state: 'approved' };
  const once = { ...common, period: null, group: null, level: null };
  const group = { id: `${app!.id}1`, name: 'Pro' };
  const named = (one: typeof coins) => ({
    ...{ productId: one!.sku, storeId: one!.id, name: one!.name },
  });
  const renewing = { ...common, kind: 'auto_renewable' as const, group };
  const expected: unknown[] = [
    { ...named(coins), ...once, kind: 'consumable' },
    { ...named(season), ...once, kind: 'non_renewing' },
    { ...named(monthly), ...renewing, period: 'P1M', level: 1 },
    { ...named(yearly), ...renewing, period: 'P1Y', level: 2, familySharable: true },
  ];
  expect<unknown[]>(await list()).toEqual(expected);
});

test('every page and every state is read, also of what is no longer sold', async () => {
  const words = PRODUCT_STATES.map((state) => state.toUpperCase());
  for (const [index, state] of [...words, 'SOMETHING_NEW'].entries()) {
    const like = { ...app!.products[index % 2]!, state };
    app!.products.push({
      ...like,
      id: `${index}`,
      sku: `further.${String(index).padStart(2, '0')}`,
    });
  }
  store.account.pageSize = 3;
  const products = await list();
  expect(products).toHaveLength(app!.products.length);
  const states = products
    .filter(({ productId }) => productId.startsWith('further'))
    .toSorted((a, b) => (a.productId < b.productId ? -1 : 1))
    .map(({ state }) => state);
  expect<string[]>(states).toEqual([...PRODUCT_STATES, 'unknown']);
});

test('a key that may not see them is told apart from an app that is not there', async () => {
  const faultOf = async (work: Promise<unknown>) => {
    const thrown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return thrown instanceof StoreFault ? thrown.kind : null;
  };
  expect(await faultOf(client.listProducts(key!, '4711'))).toBe('not_found');
  store.account.catalogueAllowed = false;
  expect(await faultOf(list())).toBe('role');
});
