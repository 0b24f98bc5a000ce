import type { EntitlementOfName, NamedEntitlement } from '../model/names.ts';
import {
  type Chain,
  type EntitlementTerms,
  type Grant,
  judgeEntitlement,
  type StaleChain,
  type Verdict,
} from './rules.ts';

type Held = { chains: readonly Chain[]; grants: readonly Grant[] };

function toEntitlementOfName(
  { name }: NamedEntitlement,
  { entitlement, store }: Verdict,
  { environment }: EntitlementTerms,
): EntitlementOfName {
  const { status, productId, expiresAt, willRenew } = entitlement;
  const at = entitlement.environment ?? environment;
  return { name, status, productId, expiresAt, willRenew, store, environment: at };
}

const keyOf = ({ store, environment, chainId }: StaleChain) => `${store} ${environment} ${chainId}`;

const once = (stale: readonly StaleChain[]): StaleChain[] => [
  ...new Map(stale.map((chain) => [keyOf(chain), chain])).values(),
];

/** The requested answer with each name; without names that of `judgeEntitlement`. */
export function judgeWithNames(
  { chains, grants }: Held,
  terms: EntitlementTerms,
  names: readonly NamedEntitlement[],
): Verdict {
  const asked = judgeEntitlement(chains, terms, grants);
  if (names.length === 0) return asked;
  const verdicts = names.map((named) => ({
    named,
    verdict: judgeEntitlement(chains, { ...terms, productIds: named.productIds }, grants),
  }));
  const entitlements = verdicts.map(({ named, verdict }) =>
    toEntitlementOfName(named, verdict, terms),
  );
  return {
    ...asked,
    entitlement: { ...asked.entitlement, entitlements },
    stale: once([asked, ...verdicts.map(({ verdict }) => verdict)].flatMap(({ stale }) => stale)),
  };
}
