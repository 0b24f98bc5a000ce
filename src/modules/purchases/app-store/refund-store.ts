import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import type { RefundStore } from '../model/refund-store.ts';
import { selectAskableApp } from './connection/queries.ts';
import { askStore, openPurchaseKey } from './connection/purchase-key.ts';

const FINAL: ReadonlySet<ProviderFailure> = new Set([
  ...(['invalid', 'not_found', 'forbidden', 'conflict'] as const),
]);

export const appStoreRefunds: RefundStore = {
  maxEvents: 0,
  findPurchase: async () => null,
  async open({ deps }, { orgId, appId, environment, transactionId }) {
    const app = await selectAskableApp(deps.sql, orgId, appId);
    const key = app && (await openPurchaseKey({ deps, orgId }, app.bundleId));
    if (!key) throw new ProviderError('unavailable', 'No purchase key is connected.');
    return ({ answer }) =>
      askStore({ deps, orgId }, key, () =>
        deps.storeServer.sendConsumption(key, environment, transactionId, answer),
      );
  },
  endOf: (failure) => (FINAL.has(failure) ? 'refused' : null),
};
