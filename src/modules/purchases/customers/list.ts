import type { AppContext } from '../../../context.ts';
import { at } from '../../../shared/assert.ts';
import { CUSTOMER_STATE } from '../../../shared/customer-state.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { toIso } from '../../../shared/time.ts';
import { judgeEntitlement, LEEWAY_WITHOUT_KEY_MS } from '../entitlement/rules.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import { type OpenStore, type StoreNeeds, toStoreError } from '../model/store.ts';
import { chainField } from '../model/wire.ts';
import { isOrderId, openStores } from '../store-doors/stores.ts';
import {
  CUSTOMER_PAGE,
  type CustomerPurchase,
  type Customers,
  type CustomersInput,
} from './model.ts';
import { type ListedChain, searchChains, selectChains } from './queries.ts';

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
async function lookUpOrder(ctx: AppContext<StoreNeeds>, orderId: string): Promise<OrderLookup> {
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

const READ_AT_ONCE = 500;
const MOST_READ = 20_000;

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
    ...(entitlement.graceExpiresAt === null ? {} : { graceExpiresAt: entitlement.graceExpiresAt }),
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
  const { deps, scope } = ctx;
  const known = await searchChains(deps.sql, scope, text);
  if (known.length > 0 || !isOrderId(text)) return { found: known, orderLookup: null };
  const { outcome, chainIds } = await lookUpOrder(ctx, text);
  const found = await Promise.all(chainIds.map((id) => searchChains(deps.sql, scope, id)));
  return { found: found.flat(), orderLookup: outcome };
}

type Row = { purchase: CustomerPurchase; chainId: string };

async function readPage(
  { deps, scope }: AppContext<'sql'>,
  { environment = REAL_PURCHASES, state, cursor, limit = CUSTOMER_PAGE }: CustomersInput,
  now: Date,
): Promise<Pick<Customers, 'customers' | 'nextCursor'>> {
  const step = state === undefined ? limit + 1 : READ_AT_ONCE;
  const found: Row[] = [];
  let after = cursor ?? null;
  let read = 0;
  let isEnd = false;
  while (found.length <= limit && !isEnd && read < MOST_READ) {
    const rows = await selectChains(deps.sql, scope, { environment, after, limit: step });
    for (const row of rows) {
      const purchase = toPurchase(row, now);
      const isOf = state === undefined || CUSTOMER_STATE[purchase.status] === state;
      if (isOf) found.push({ purchase, chainId: row.key.chainId });
    }
    after = rows.at(-1)?.key.chainId ?? after;
    read += rows.length;
    isEnd = rows.length < step;
  }
  const isFull = found.length > limit;
  return {
    customers: found.slice(0, limit).map(({ purchase }) => purchase),
    nextCursor: isFull ? at(found, limit - 1).chainId : isEnd ? null : after,
  };
}

export async function listCustomers(
  ctx: AppContext<StoreNeeds>,
  input: CustomersInput,
): Promise<Customers> {
  const now = ctx.deps.clock();
  if (input.search !== undefined) {
    const { found, orderLookup } = await search(ctx, input.search);
    const customers = found.map((one) => toPurchase(one, now));
    return { customers, nextCursor: null, orderLookup };
  }
  return { ...(await readPage(ctx, input, now)), orderLookup: null };
}
