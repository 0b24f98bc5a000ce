import type { AppContext } from '../../../context.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import { askStore, openPurchaseKey, toStoreError } from '../app-store/purchase-key.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import type { Customers } from './model.ts';

type OrderContext = AppContext<'clock' | 'secrets' | 'sql' | 'storeServer'>;
type OrderLookup = { outcome: NonNullable<Customers['orderLookup']>; chainIds: string[] };

/** Capital letters and digits, as in the store's mail. */
export const ORDER_ID = /^[A-Z][A-Z0-9]{7,19}$/;

/** Without an owner. */
async function recordOrder(
  { deps, orgId, app }: OrderContext,
  signed: readonly SignedTransaction[],
): Promise<string[]> {
  const own = signed.filter(({ snapshot }) => snapshot.bundleId === app.bundleId);
  const at = deps.clock();
  for (const transaction of own) {
    const { environment, chainId } = transaction.snapshot;
    const key = { orgId, appId: app.id, environment, chainId };
    const facts = { transaction, renewal: null, status: null, checkedAt: at, receivedAt: at };
    await deps.sql.begin((tx) => recordFacts(tx, key, facts));
  }
  return [...new Set(own.map(({ snapshot }) => snapshot.chainId))];
}

/** Throws the store's errors. */
export async function lookUpOrder(ctx: OrderContext, orderId: string): Promise<OrderLookup> {
  const { deps, orgId, app } = ctx;
  const key = app.bundleId === null ? null : await openPurchaseKey({ deps, orgId }, app.bundleId);
  if (!key) return { outcome: 'no_key', chainIds: [] };
  try {
    const signed = await askStore({ deps, orgId }, key, () =>
      deps.storeServer.lookUpOrder(key, orderId),
    );
    const chainIds = await recordOrder(ctx, signed);
    return { outcome: chainIds.length === 0 ? 'not_found' : 'found', chainIds };
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}
