import { AppError, notFound } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { toStoreError } from '../app-store/purchase-key.ts';
import { refreshChain } from '../app-store/refresh.ts';
import { type CustomerContext, getCustomer } from './get.ts';
import type { Customer } from './model.ts';
import { searchChains } from './queries.ts';

/**
 * One request per environment: each returns all purchases. Throws `not_found`,
 * `store_not_connected`, the store's errors.
 */
export async function refreshCustomer(
  ctx: CustomerContext,
  input: { customerId: string },
): Promise<Customer> {
  const { deps, orgId, app } = ctx;
  const found = await searchChains(deps.sql, { orgId, appId: app.id }, input.customerId);
  if (found.length === 0) throw notFound();
  const { bundleId } = app;
  const newest = Map.groupBy(found, ({ key }) => key.environment).values();
  for (const [chain] of newest) {
    if (!chain || bundleId === null) continue;
    try {
      const isConnected = await refreshChain({ deps, orgId }, { ...chain.key, bundleId });
      if (!isConnected) throw new AppError('store_not_connected', 'No purchase key is connected.');
    } catch (thrown) {
      // Unknown to the store: unchanged.
      if (thrown instanceof ProviderError && thrown.failure === 'not_found') continue;
      throw toStoreError(thrown);
    }
  }
  return getCustomer(ctx, input);
}
