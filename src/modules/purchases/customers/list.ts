import type { AppContext } from '../../../context.ts';
import { at } from '../../../shared/assert.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { toIso } from '../../../shared/time.ts';
import { judgeEntitlement, LEEWAY_WITHOUT_KEY_MS } from '../entitlement/rules.ts';
import type { StoreNeeds } from '../model/store.ts';
import { chainField } from '../model/wire.ts';
import { isOrderId } from '../stores.ts';
import { lookUpOrder } from './look-up-order.ts';
import {
  CUSTOMER_PAGE,
  type CustomerPurchase,
  type Customers,
  type CustomersInput,
} from './model.ts';
import { type ListedChain, searchChains, selectChains } from './queries.ts';

export function toPurchase({ key, userId, chain }: ListedChain, now: Date): CustomerPurchase {
  const { environment, chainId } = key;
  const { entitlement } = judgeEntitlement([chain], {
    nowMs: now.getTime(),
    leewayMs: LEEWAY_WITHOUT_KEY_MS,
    productIds: null,
    environment,
  });
  return {
    customerId: userId ?? chainId,
    userId,
    environment,
    ...chainField(chainId),
    productId: entitlement.productId,
    status: entitlement.status,
    expiresAt: entitlement.expiresAt,
    willRenew: entitlement.willRenew,
    ...(entitlement.committedUntil === undefined
      ? {}
      : { committedUntil: entitlement.committedUntil }),
    ...(entitlement.commitmentPeriod === undefined
      ? {}
      : { commitmentPeriod: entitlement.commitmentPeriod }),
    checkedAt: toIso(new Date(chain.checkedAtMs)),
  };
}

async function search(
  ctx: AppContext<StoreNeeds>,
  text: string,
): Promise<{ found: ListedChain[]; orderLookup: Customers['orderLookup'] }> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const known = await searchChains(deps.sql, scope, text);
  if (known.length > 0 || !isOrderId(text)) return { found: known, orderLookup: null };
  const { outcome, chainIds } = await lookUpOrder(ctx, text);
  const found = await Promise.all(chainIds.map((id) => searchChains(deps.sql, scope, id)));
  return { found: found.flat(), orderLookup: outcome };
}

export async function listCustomers(
  ctx: AppContext<StoreNeeds>,
  input: CustomersInput,
): Promise<Customers> {
  const { deps, orgId, app } = ctx;
  const now = deps.clock();
  if (input.search !== undefined) {
    const { found, orderLookup } = await search(ctx, input.search);
    const customers = found.map((one) => toPurchase(one, now));
    return { customers, nextCursor: null, orderLookup };
  }
  const limit = input.limit ?? CUSTOMER_PAGE;
  const rows = await selectChains(
    deps.sql,
    { orgId, appId: app.id },
    {
      environment: input.environment ?? REAL_PURCHASES,
      after: input.cursor ?? null,
      limit: limit + 1,
    },
  );
  const page = rows.slice(0, limit);
  return {
    customers: page.map((one) => toPurchase(one, now)),
    nextCursor: rows.length > limit ? at(page, limit - 1).key.chainId : null,
    orderLookup: null,
  };
}
