import type { SystemContext } from '../../../context.ts';
import { StoreFault, type StoreKey } from '../../../providers/store/port.ts';
import { noteProducts, replaceProducts, selectStaleCatalogues } from './products-queries.ts';

const REFUSED: readonly StoreFault['kind'][] = ['role', 'not_found', 'agreement'];

async function refreshOne(
  { deps }: SystemContext<'clock' | 'sql' | 'store'>,
  scope: { orgId: string; storeAppId: string },
  key: StoreKey,
): Promise<void> {
  const at = deps.clock();
  try {
    const products = await deps.store.listProducts(key, scope.storeAppId);
    await deps.sql.begin((tx) => replaceProducts(tx, scope, products, at));
  } catch (thrown) {
    if (!(thrown instanceof StoreFault) || !REFUSED.includes(thrown.kind)) throw thrown;
    await noteProducts(deps.sql, scope, { at, isRefused: true });
  }
}

/** Linked apps first. A fault of the store leaves the rest for the next time. */
export async function refreshProducts(
  ctx: SystemContext<'clock' | 'log' | 'sql' | 'store'>,
  { orgId, key, deadline }: { orgId: string; key: StoreKey; deadline: Date },
): Promise<void> {
  const { clock, log, sql } = ctx.deps;
  const ids = await selectStaleCatalogues(sql, orgId, clock());
  try {
    for (const storeAppId of ids) {
      if (clock() >= deadline) return;
      await refreshOne(ctx, { orgId, storeAppId }, key);
    }
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    log.warn({ orgId, err: thrown }, 'products of the store could not be read; they stay as known');
  }
}
