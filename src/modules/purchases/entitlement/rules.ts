import { isReal, type StoreEnvironment } from '../../../shared/environment.ts';
import { STORE_FACTS, type Store } from '../../../shared/stores.ts';
import { HOUR_MS, toIso } from '../../../shared/time.ts';
import type { ChainKey } from '../model/chain.ts';
import { billingRetryMs, type EntitlementStatus } from '../model/status.ts';
import type { ChainDigest, Holding } from '../model/stored.ts';
import { chainField, type Entitlement } from '../model/wire.ts';

export const LEEWAY_WITH_KEY_MS = 6 * HOUR_MS;
export const LEEWAY_WITHOUT_KEY_MS = HOUR_MS;

export type Chain = Pick<ChainKey, 'store' | 'environment'> & {
  digest: ChainDigest;
  checkedAtMs: number;
};

export type Grant = {
  /** Null of a name. */
  productId: string | null;
  /** The product, or those of the name. */
  gives: readonly string[];
  grantedAt: Date;
  expiresAt: Date | null;
  revoked: boolean;
};

export type EntitlementTerms = {
  nowMs: number;
  leewayMs: number;
  /** Any of them; null asks about everything. */
  productIds: readonly string[] | null;
  environment: StoreEnvironment;
};

export type StaleChain = Pick<ChainKey, 'store' | 'environment' | 'chainId'>;

export type Verdict = {
  entitlement: Entitlement;
  /** Null without a purchase. */
  store: Store | null;
  stale: StaleChain[];
};

type Item = {
  status: EntitlementStatus;
  productId: string | null;
  holding: Omit<Holding, 'productId'>;
  expiresAt: number | null;
  graceExpiresAt: number | null;
  stale: boolean;
  chain: Chain | null;
};

type Standing = Pick<Item, 'status' | 'graceExpiresAt' | 'stale'>;

const settled = (status: EntitlementStatus): Standing => ({
  status,
  graceExpiresAt: null,
  stale: false,
});

type Failed = { expiresAt: number; isCommitted: boolean };

function inRetry({ expiresAt, isCommitted }: Failed, nowMs: number): Standing {
  const until = expiresAt + billingRetryMs(isCommitted);
  return settled(nowMs < until ? 'billing_retry' : 'expired');
}

function inGrace(graceExpiresAt: number, failed: Failed, nowMs: number): Standing {
  if (nowMs < graceExpiresAt) return { status: 'billing_grace', graceExpiresAt, stale: false };
  return { ...inRetry(failed, nowMs), stale: true };
}

/** Billing issue, end, or a renewal not received yet. */
function afterExpiry(digest: ChainDigest, failed: Failed, terms: EntitlementTerms): Standing {
  const { nowMs, leewayMs } = terms;
  const { expiresAt } = failed;
  if (digest.refundedAfter && digest.continuesUntil === null) return settled('revoked');
  const grace = digest.trouble?.graceExpiresAt ?? null;
  if (grace !== null && grace > expiresAt) return inGrace(grace, failed, nowMs);
  if (digest.trouble?.retrying) return inRetry(failed, nowMs);
  const mayHaveRenewed = digest.trouble === null || digest.renews || digest.isCommitted === true;
  const leeway = mayHaveRenewed && nowMs < expiresAt + leewayMs;
  return { status: leeway ? 'active' : 'expired', graceExpiresAt: null, stale: true };
}

function judgeStanding(
  digest: ChainDigest,
  held: Holding,
  expiresAt: number | null,
  terms: EntitlementTerms,
): Standing {
  const { nowMs } = terms;
  const failed = { expiresAt: expiresAt ?? nowMs, isCommitted: held.committedUntil !== undefined };
  if (digest.status === 'expired') return settled('expired');
  if (digest.status === 'revoked') return settled('revoked');
  if (digest.status === 'retry') return inRetry(failed, nowMs);
  if (digest.status === 'grace') {
    const grace = digest.trouble?.graceExpiresAt ?? null;
    return inGrace(grace ?? 0, failed, nowMs);
  }
  if (held.revoked && digest.continuesUntil === null) return settled('revoked');
  if (expiresAt === null || nowMs < expiresAt) return settled('active');
  return afterExpiry(digest, failed, terms);
}

function currentItem(chain: Chain, held: Holding, terms: EntitlementTerms): Item {
  const expiresAt = chain.digest.continuesUntil ?? held.expiresAt;
  const standing = judgeStanding(chain.digest, held, expiresAt, terms);
  const refunded = chain.digest.refundedAfter;
  if (standing.status === 'revoked' && refunded) {
    const { productId } = refunded;
    return { ...standing, productId, holding: refunded, expiresAt: refunded.expiresAt, chain };
  }
  return { ...standing, productId: held.productId, holding: held, expiresAt, chain };
}

/** Add-ons renew and end with the rest. */
function isBeside({ store, digest }: Chain, { expiresAt, revoked }: Item['holding']): boolean {
  const end = digest.current?.expiresAt ?? null;
  if (!STORE_FACTS[store].hasAddOns || revoked || end === null || expiresAt === null) return false;
  return Math.abs(expiresAt - end) < HOUR_MS;
}

function pastItem(chain: Chain, held: Holding, nowMs: number): Item {
  const running = held.expiresAt === null || nowMs < held.expiresAt;
  const status = held.revoked ? 'revoked' : running ? 'active' : 'expired';
  const { productId, expiresAt } = held;
  return { ...settled(status), productId, holding: held, expiresAt, chain };
}

/** Add-ons: where the newest is not paid, another that runs may be. */
export function onlyPaid(chain: Chain, isPaid: (held: Holding) => boolean, nowMs: number): Chain {
  const { digest } = chain;
  const paid = digest.past.filter(isPaid);
  const runs = (held: Holding) =>
    isBeside(chain, held) || pastItem(chain, held, nowMs).status === 'active';
  const isCurrentPaid = digest.current !== null && isPaid(digest.current);
  const current = isCurrentPaid ? digest.current : (paid.find(runs) ?? null);
  return {
    ...chain,
    digest: { ...digest, current, past: paid.filter((held) => held !== current) },
  };
}

function toItems(chain: Chain, terms: EntitlementTerms): Item[] {
  const { current, past } = chain.digest;
  if (!current) return [];
  const shown = currentItem(chain, current, terms);
  const { productIds, nowMs } = terms;
  if (productIds === null) return [shown];
  const before = shown.holding === current ? past : [...past, current];
  const others = before.map((held) =>
    isBeside(chain, held) ? currentItem(chain, held, terms) : pastItem(chain, held, nowMs),
  );
  const items = [shown, ...others];
  return items.filter(({ productId }) => productId !== null && productIds.includes(productId));
}

function grantItem(grant: Grant, nowMs: number): Item {
  const { productId, revoked } = grant;
  const expiresAt = grant.expiresAt?.getTime() ?? null;
  const purchasedAt = grant.grantedAt.getTime();
  const ended = expiresAt !== null && expiresAt <= nowMs;
  return {
    ...settled(revoked ? 'revoked' : ended ? 'expired' : 'active'),
    productId,
    holding: { purchasedAt, expiresAt, revoked, ownership: 'purchased' },
    expiresAt,
    chain: null,
  };
}

const RANK: Readonly<Record<EntitlementStatus, number>> = {
  active: 0,
  billing_grace: 1,
  billing_retry: 2,
  revoked: 3,
  expired: 3,
  none: 4,
};

/** At equal status: paid, granted, sandbox. */
function byWorth(a: Item, b: Item): number {
  const paid = ({ chain }: Item) => (chain === null ? 1 : isReal(chain.environment) ? 0 : 2);
  const own = (item: Item) => (item.holding.ownership === 'purchased' ? 0 : 1);
  const end = (item: Item) => item.expiresAt ?? Number.MAX_SAFE_INTEGER;
  return (
    RANK[a.status] - RANK[b.status] ||
    paid(a) - paid(b) ||
    own(a) - own(b) ||
    end(b) - end(a) ||
    b.holding.purchasedAt - a.holding.purchasedAt
  );
}

const iso = (ms: number | null) => (ms === null ? null : toIso(new Date(ms)));

export function noEntitlement(checkedAtMs: number, environment: StoreEnvironment): Entitlement {
  return {
    entitled: false,
    status: 'none',
    productId: null,
    expiresAt: null,
    graceExpiresAt: null,
    willRenew: false,
    ownership: null,
    ...chainField(null),
    environment,
    checkedAt: toIso(new Date(checkedAtMs)),
  };
}

function toEntitlement(item: Item, terms: EntitlementTerms): Entitlement {
  if (item.chain === null) {
    return {
      ...noEntitlement(terms.nowMs, terms.environment),
      entitled: item.status === 'active',
      status: item.status,
      productId: item.productId,
      expiresAt: iso(item.expiresAt),
    };
  }
  const { digest, checkedAtMs, environment } = item.chain;
  const ended = item.status === 'expired' || item.status === 'revoked';
  const { committedUntil, commitmentPeriod } = item.holding;
  const isRenewing = item.holding === digest.current || isBeside(item.chain, item.holding);
  return {
    entitled: item.status === 'active' || item.status === 'billing_grace',
    status: item.status,
    productId: item.productId,
    expiresAt: iso(item.expiresAt),
    graceExpiresAt: iso(item.graceExpiresAt),
    willRenew: !ended && isRenewing && digest.renews,
    ...(ended || committedUntil === undefined
      ? {}
      : { committedUntil: toIso(new Date(committedUntil)) }),
    ...(ended || commitmentPeriod === undefined ? {} : { commitmentPeriod }),
    ownership: item.holding.ownership,
    ...chainField(digest.chainId),
    environment,
    checkedAt: toIso(new Date(checkedAtMs)),
  };
}

/** Entitlement by name: for what each product of it would give. */
const counts = ({ gives }: Grant, { productIds }: EntitlementTerms): boolean =>
  productIds === null || (gives.length > 0 && gives.every((id) => productIds.includes(id)));

export function judgeEntitlement(
  chains: readonly Chain[],
  terms: EntitlementTerms,
  grants: readonly Grant[] = [],
): Verdict {
  const granted = grants
    .filter((grant) => counts(grant, terms))
    .map((grant) => grantItem(grant, terms.nowMs));
  const items = [...chains.flatMap((chain) => toItems(chain, terms)), ...granted].sort(byWorth);
  const [best] = items;
  if (!best) {
    const entitlement = noEntitlement(terms.nowMs, terms.environment);
    return { entitlement, store: null, stale: [] };
  }
  const certain = best.status === 'active' && !best.stale;
  const stale = certain ? [] : items.filter((item) => item.stale);
  return {
    entitlement: toEntitlement(best, terms),
    store: best.chain?.store ?? null,
    stale: stale
      .flatMap(({ chain }) => chain ?? [])
      .map(({ store, environment, digest: { chainId } }) => ({ store, environment, chainId })),
  };
}
