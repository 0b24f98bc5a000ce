import type { Deps } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { notFound } from '../../../shared/errors.ts';
import type { NamedEntitlement } from '../model/names.ts';
import { selectGrantsInForce, selectOwnedChains } from './entitled-queries.ts';
import {
  type Chain,
  type EntitlementTerms,
  type Grant,
  judgeEntitlement,
  LEEWAY_WITH_KEY_MS,
  LEEWAY_WITHOUT_KEY_MS,
} from './rules.ts';

const PAGE = 5_000;

/** At most one of them; neither asks about anything. */
export type EntitledBy = { entitlement?: string; productId?: string };

type Found = { productIds: readonly string[] | null; people: Set<string> };
type Held = { people: readonly string[]; chains: readonly Chain[]; grants: readonly Grant[] };

function addEntitled(
  found: Iterable<Found>,
  { people, chains, grants }: Held,
  terms: Omit<EntitlementTerms, 'productIds'>,
): void {
  for (const { productIds, people: entitled } of found) {
    const { entitlement } = judgeEntitlement(chains, { ...terms, productIds }, grants);
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
      { productIds: productsOf(by, profile.names), people: new Set() },
    ]),
  );
  const found = [...asked.values()];
  const leewayMs = profile.hasKey ? LEEWAY_WITH_KEY_MS : LEEWAY_WITHOUT_KEY_MS;
  const terms = { nowMs: clock().getTime(), leewayMs, environment: REAL_PURCHASES };
  for (let after: string | null = ''; after !== null; ) {
    const chains = await selectOwnedChains(sql, scope, { after, limit: PAGE });
    for (const chain of chains) {
      addEntitled(found, { people: chain.people, chains: [chain], grants: [] }, terms);
    }
    after = chains.length === PAGE ? (chains.at(-1)?.digest.chainId ?? null) : null;
  }
  for (const { personId, ...grant } of await selectGrantsInForce(sql, scope)) {
    addEntitled(found, { people: [personId], chains: [], grants: [grant] }, terms);
  }
  return new Map([...asked].map(([key, { people }]) => [key, people]));
}
