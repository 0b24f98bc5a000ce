import { type PurchaseKey, SignatureError } from '../../../providers/store-server/port.ts';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import type { StoreContext, StoreDoor } from '../model/store.ts';
import { selectAskableApp } from './connection/queries.ts';
import { APP_STORE } from './connection/model.ts';
import { askStore, openPurchaseKey } from './connection/purchase-key.ts';
import { refreshChain } from './refresh.ts';

/** Capital letters and digits, as in the store's mail. */
const ORDER_ID = /^[A-Z][A-Z0-9]{7,19}$/;

async function findTransaction(
  ctx: StoreContext,
  key: PurchaseKey,
  transactionId: string,
): Promise<SignedTransaction | null> {
  for (const environment of STORE_ENVIRONMENTS) {
    try {
      return await askStore(ctx, key, () =>
        ctx.deps.storeServer.transaction(key, environment, transactionId),
      );
    } catch (thrown) {
      const isUnknown =
        thrown instanceof SignatureError ||
        (thrown instanceof ProviderError && ['invalid', 'not_found'].includes(thrown.failure));
      if (!isUnknown) throw thrown;
    }
  }
  return null;
}

export const appStore: StoreDoor = {
  isOrderId: (text) => ORDER_ID.test(text),
  async open(ctx, appId) {
    const app = await selectAskableApp(ctx.deps.sql, ctx.orgId, appId);
    const key = app && (await openPurchaseKey(ctx, app.bundleId));
    return (
      key && {
        name: APP_STORE,
        bundleId: key.bundleId,
        findTransaction: (transactionId) => findTransaction(ctx, key, transactionId),
        lookUpOrder: (orderId) =>
          askStore(ctx, key, () => ctx.deps.storeServer.lookUpOrder(key, orderId)),
      }
    );
  },
  async refresh(ctx, { appId, environment, chainId }) {
    const app = await selectAskableApp(ctx.deps.sql, ctx.orgId, appId);
    if (!app) return 'no_app';
    const isConnected = await refreshChain(ctx, { ...app, environment, chainId });
    return isConnected ? 'refreshed' : 'no_key';
  },
};
