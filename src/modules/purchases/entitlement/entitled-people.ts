import type { Deps } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { notFound } from '../../../shared/errors.ts';
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

type Held = { people: readonly string[]; chains: readonly Chain[]; grants: readonly Grant[] };

function addEntitled(
  found: ReadonlyMap<string | null, Set<string>>,
  { people, chains, grants }: Held,
  terms: Omit<EntitlementTerms, 'productIds'>,
): void {
  for (const [productId, entitled] of found) {
    const productIds = productId === null ? null : [productId];
    const { entitlement } = judgeEntitlement(chains, { ...terms, productIds }, grants);
    if (entitlement.entitled) for (const person of people) entitled.add(person);
  }
}

/** As known, without asking a store. */
export async function entitledPeople(
  { sql, clock, purchaseProfiles }: Pick<Deps, 'clock' | 'purchaseProfiles' | 'sql'>,
  scope: AppScope,
  products: readonly (string | null)[],
): Promise<Map<string | null, Set<string>>> {
  const found = new Map(products.map((productId) => [productId, new Set<string>()]));
  if (found.size === 0) return found;
  const profile = await purchaseProfiles.find(scope);
  if (!profile) throw notFound();
  const leewayMs = profile.hasKey ? LEEWAY_WITH_KEY_MS : LEEWAY_WITHOUT_KEY_MS;
  const terms = { nowMs: clock().getTime(), leewayMs, environment: REAL_PURCHASES };
  for (let after: string | null = ''; after !== null; ) {
    const chains = await selectOwnedChains(sql, scope, { after, limit: PAGE });
    for (const chain of chains) {
      addEntitled(found, { people: chain.people, chains: [chain], grants: [] }, terms);
    }
    after = chains.length === PAGE ? (chains.at(-1)?.digest.chainId ?? null) : null;
  }
  for (const { userId, ...grant } of await selectGrantsInForce(sql, scope)) {
    addEntitled(found, { people: [userId], chains: [], grants: [grant] }, terms);
  }
  return found;
}
