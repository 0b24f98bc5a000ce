import type { EntitlementOfName, NamedEntitlement } from '../model/names.ts';
import * as rules from './rules.ts';

type Held = { chains: readonly rules.Chain[]; grants: readonly rules.Grant[] };

function toEntitlementOfName(
  { name }: NamedEntitlement,
  { entitlement, store }: rules.Verdict,
  { environment }: rules.EntitlementTerms,
): EntitlementOfName {
  const { status, productId, expiresAt, willRenew } = entitlement;
  const at = entitlement.environment ?? environment;
  return { name, status, productId, expiresAt, willRenew, store, environment: at };
}

const keyOf = ({ store, environment, chainId }: rules.StaleChain) =>
  `${store} ${environment} ${chainId}`;

const once = (stale: readonly rules.StaleChain[]): rules.StaleChain[] => [
  ...new Map(stale.map((chain) => [keyOf(chain), chain])).values(),
];

/** The requested answer with each name; without names that of `judgeEntitlement`. */
export function judgeWithNames(
  { chains, grants }: Held,
  terms: rules.EntitlementTerms,
  names: readonly NamedEntitlement[],
): rules.Verdict {
  const asked = rules.judgeEntitlement(chains, terms, grants);
  if (names.length === 0) return asked;
  const verdicts = names.map((named) => ({
    named,
    verdict: rules.judgeEntitlement(chains, { ...terms, productIds: named.productIds }, grants),
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
