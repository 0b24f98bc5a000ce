import type { AppContext } from '../../../context.ts';
import { selectRescindedAt } from '../app-store/notices/queries.ts';
import { spellingsOf } from '../../../shared/account-token.ts';
import { isReal } from '../../../shared/environment.ts';
import { notFound } from '../../../shared/errors.ts';
import * as entitlements from '../entitlement/get-entitlement.ts';
import { isDeviceOnly, selectBuyerOf } from '../entitlement/grantee-queries.ts';
import { MAX_GRANTS, selectGrants } from '../entitlement/grants-queries.ts';
import { nameGranted, type PurchaseGrant } from '../model/grant.ts';
import { type Entitlement, namedChain } from '../model/wire.ts';
import { selectMappedUser } from '../ownership/links-queries.ts';
import type { PersonIds } from '../ownership/ownership.ts';
import { buildTimeline } from './history.ts';
import { toPurchase } from './list.ts';
import type { Customer } from './model.ts';
import * as queries from './queries.ts';
import { explainEntitlement } from './reason.ts';

export type CustomerContext = AppContext<keyof entitlements.EntitlementContext['deps']>;

async function readHistory({ deps }: AppContext<'sql'>, { key }: queries.ListedChain) {
  const [transactions, renewals, holders] = await Promise.all([
    queries.selectCustomerTransactions(deps.sql, key),
    queries.selectRenewalChanges(deps.sql, key),
    queries.selectHolders(deps.sql, key),
  ]);
  return { transactions, renewals, holders };
}

const NOBODY = {
  userId: null,
  anonymousId: null,
  appAccountToken: null,
  chainId: null,
} satisfies PersonIds;

type Named = { ids: PersonIds; people: string[] };

async function identify(
  { deps, scope }: AppContext<'sql'>,
  customerId: string,
  found: readonly queries.ListedChain[],
): Promise<Named> {
  const named = (ids: Partial<PersonIds>, user: string | null = null): Named => ({
    ids: { ...NOBODY, ...ids },
    people: [customerId, user, ids.userId, ids.anonymousId].flatMap((id) =>
      id == null ? [] : spellingsOf(id),
    ),
  });
  const holders = (
    await Promise.all(found.map(({ key }) => queries.selectHolders(deps.sql, key)))
  ).flat();
  const user = await selectMappedUser(deps.sql, scope, customerId);
  const isDevice =
    user !== null ||
    holders.some(({ kind, id }) => kind === 'anonymous' && id === customerId) ||
    (await isDeviceOnly(deps.sql, scope, customerId));
  if (isDevice) return named({ anonymousId: customerId }, user);
  const bought = await selectBuyerOf(deps.sql, scope, customerId);
  if (bought === null) return named({ userId: customerId });
  const { buyer } = bought;
  const chainId = found[0]?.key.chainId ?? customerId;
  if (buyer === null) return named({ chainId });
  return named(
    buyer.kind === 'user' ? { chainId, userId: buyer.id } : { chainId, anonymousId: buyer.id },
  );
}

function grantedByName(
  grants: readonly PurchaseGrant[],
  { status, productId, expiresAt }: Entitlement,
): string | null {
  if (productId !== null || status === 'none') return null;
  const ofName = grants.filter((grant) => grant.productId === null);
  const same = ofName.find((grant) => grant.expiresAt === expiresAt);
  const found = same ?? ofName[0];
  return found ? nameGranted(found) : null;
}

/** Null without purchases or grants. */
export async function findCustomer(
  ctx: CustomerContext,
  { customerId, mayRefresh }: { customerId: string; mayRefresh: boolean },
): Promise<Customer | null> {
  const { deps, app, scope } = ctx;
  const found = await queries.searchChains(deps.sql, scope, customerId);
  const { ids, people } = await identify(ctx, customerId, found);
  const ofPeople = { ...scope, people, beforeId: null, limit: MAX_GRANTS };
  const grants = await selectGrants(deps.sql, ofPeople);
  if (found.length === 0 && grants.length === 0) return null;
  const entitlement = await entitlements.readEntitlement(
    { ...ctx, appId: app.id },
    { ids, wanted: entitlements.ANYTHING, environment: null, mayRefresh },
  );
  const now = deps.clock();
  // Read again: the entitlement may have refreshed the chains.
  const chains = await queries.searchChains(deps.sql, scope, customerId);
  const purchases = await Promise.all(
    chains.map(async (chain) => {
      const { customerId: _, userId: __, ...purchase } = toPurchase(chain, now);
      return { ...purchase, ...(await readHistory(ctx, chain)) };
    }),
  );
  const transaction = purchases
    .filter((one) => namedChain(one) === namedChain(entitlement))
    .flatMap(({ transactions }) => transactions)
    .filter(({ productId }) => productId === entitlement.productId)
    .find((one) => one.expiresAt === entitlement.expiresAt && one.revokedAt === null);
  const hidesSandbox =
    purchases.length > 0 && purchases.every(({ environment }) => !isReal(environment));
  const reason = explainEntitlement({
    entitlement,
    transaction: transaction ?? null,
    granted: grantedByName(grants, entitlement),
    hidesSandbox,
    now,
  });
  const held = chains.map(({ key }) => key);
  const rescindedAt = await selectRescindedAt(deps.sql, scope, held);
  const history = buildTimeline(purchases, grants, now, rescindedAt);
  return { customerId, entitlement, reason, purchases, grants, history };
}

export async function getCustomer(
  ctx: CustomerContext,
  { customerId }: { customerId: string },
): Promise<Customer> {
  const customer = await findCustomer(ctx, { customerId, mayRefresh: true });
  if (!customer) throw notFound();
  return customer;
}
