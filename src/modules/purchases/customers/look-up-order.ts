import type { AppContext } from '../../../context.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import type { OpenStore, StoreNeeds } from '../model/store.ts';
import { toStoreError } from '../model/store-errors.ts';
import { openStores } from '../stores.ts';
import type { Customers } from './model.ts';

type OrderLookup = { outcome: NonNullable<Customers['orderLookup']>; chainIds: string[] };

async function recordOrder(
  { deps, orgId, app }: AppContext<StoreNeeds>,
  { name, bundleId, lookUpOrder: find }: OpenStore,
  orderId: string,
): Promise<string[]> {
  const signed = await find(orderId);
  const own = signed.filter(({ snapshot }) => snapshot.bundleId === bundleId);
  const at = deps.clock();
  for (const transaction of own) {
    const { environment, chainId } = transaction.snapshot;
    const key = { store: name, orgId, appId: app.id, environment, chainId };
    const facts = { transaction, renewal: null, status: null, checkedAt: at, receivedAt: at };
    await deps.sql.begin((tx) => recordFacts(tx, key, facts));
  }
  return own.map(({ snapshot }) => snapshot.chainId);
}

/** Throws the store's errors. */
export async function lookUpOrder(
  ctx: AppContext<StoreNeeds>,
  orderId: string,
): Promise<OrderLookup> {
  const stores = await openStores(ctx, ctx.app.id);
  if (stores.length === 0) return { outcome: 'no_key', chainIds: [] };
  try {
    const recorded = await Promise.all(stores.map((store) => recordOrder(ctx, store, orderId)));
    const chainIds = [...new Set(recorded.flat())];
    return { outcome: chainIds.length === 0 ? 'not_found' : 'found', chainIds };
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}
