import { AppError, notFound } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { toStoreError } from '../model/store.ts';
import { storeDoor } from '../store-doors/stores.ts';
import { type CustomerContext, getCustomer } from './get.ts';
import type { Customer } from './model.ts';
import { searchChains } from './queries.ts';

/** Each returns all purchases. Throws `not_found`, `store_not_connected`, the store's errors. */
export async function refreshCustomer(
  ctx: CustomerContext,
  input: { customerId: string },
): Promise<Customer> {
  const { deps, orgId, scope } = ctx;
  const found = await searchChains(deps.sql, scope, input.customerId);
  if (found.length === 0) throw notFound();
  const newest = Map.groupBy(found, ({ key }) => `${key.store} ${key.environment}`).values();
  for (const [chain] of newest) {
    if (!chain) continue;
    try {
      const outcome = await storeDoor(chain.key.store).refresh({ deps, orgId }, chain.key);
      if (outcome === 'no_key') {
        throw new AppError('store_not_connected', 'No purchase key is connected.');
      }
    } catch (thrown) {
      // Unknown to the store: unchanged.
      if (thrown instanceof ProviderError && thrown.failure === 'not_found') continue;
      throw toStoreError(thrown);
    }
  }
  return getCustomer(ctx, input);
}
