import type { Deps } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { notFound } from '../../../shared/errors.ts';
import type { NamedEntitlement } from '../model/names.ts';
import type { Holding } from '../model/stored.ts';
import { type OwnedChain, selectGrantsInForce, selectOwnedChains } from './entitled-queries.ts';
import * as rules from './rules.ts';

const PAGE = 5_000;

export type EntitledBy = { entitlement?: string; productId?: string; isPaying?: boolean };

type Found = { productIds: readonly string[] | null; isPaying: boolean; people: Set<string> };
type Held = {
  people: readonly string[];
  chains: readonly rules.Chain[];
  paidChains: readonly rules.Chain[];
  grants: readonly rules.Grant[];
};

function toPaid({ unpaid, ...chain }: OwnedChain, nowMs: number): rules.Chain {
  const free = new Set(unpaid);
  const isPaid = ({ productId, purchasedAt, ownership }: Holding) =>
    ownership === 'purchased' && !free.has(`${productId} ${purchasedAt}`);
  return rules.onlyPaid(chain, isPaid, nowMs);
}

function addEntitled(
  found: Iterable<Found>,
  { people, grants, ...held }: Held,
  terms: Omit<rules.EntitlementTerms, 'productIds'>,
): void {
  for (const { productIds, isPaying, people: entitled } of found) {
    const [chains, given] = isPaying ? [held.paidChains, []] : [held.chains, grants];
    const { entitlement } = rules.judgeEntitlement(chains, { ...terms, productIds }, given);
    if (entitlement.entitled) for (const person of people) entitled.add(person);
  }
}

function productsOf(
  { entitlement, productId }: EntitledBy,
  names: readonly NamedEntitlement[],
): readonly string[] | null {
  if (entitlement === undefined) return productId === undefined ? null : [productId];
  return names.find(({ name }) => name === entitlement)?.productIds ?? [];
}

/** By the keys of `wanted`, as known, without asking a store. */
export async function entitledPeople(
  { sql, clock, purchaseProfiles }: Pick<Deps, 'clock' | 'purchaseProfiles' | 'sql'>,
  scope: AppScope,
  wanted: ReadonlyMap<string, EntitledBy>,
): Promise<Map<string, Set<string>>> {
  if (wanted.size === 0) return new Map();
  const profile = await purchaseProfiles.find(scope);
  if (!profile) throw notFound();
  const asked = new Map(
    [...wanted].map(([key, by]): [string, Found] => [
      key,
      {
        ...{ productIds: productsOf(by, profile.names), isPaying: by.isPaying ?? false },
        people: new Set(),
      },
    ]),
  );
  const found = [...asked.values()];
  const leewayMs = profile.hasKey ? rules.LEEWAY_WITH_KEY_MS : rules.LEEWAY_WITHOUT_KEY_MS;
  const terms = { nowMs: clock().getTime(), leewayMs, environment: REAL_PURCHASES };
  const withUnpaid = found.some(({ isPaying }) => isPaying);
  for (let after: string | null = ''; after !== null; ) {
    const chains = await selectOwnedChains(sql, scope, { after, limit: PAGE, withUnpaid });
    for (const chain of chains) {
      const paidChains = withUnpaid ? [toPaid(chain, terms.nowMs)] : [];
      addEntitled(found, { people: chain.people, chains: [chain], paidChains, grants: [] }, terms);
    }
    after = chains.length === PAGE ? (chains.at(-1)?.digest.chainId ?? null) : null;
  }
  for (const { personId, ...grant } of await selectGrantsInForce(sql, scope)) {
    const held = { people: [personId], chains: [], paidChains: [], grants: [grant] };
    addEntitled(found, held, terms);
  }
  return new Map([...asked].map(([key, { people }]) => [key, people]));
}
