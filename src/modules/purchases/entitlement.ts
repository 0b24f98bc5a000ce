import type { Environment } from '../../providers/store-server/port.ts';
import { DAY_MS, HOUR_MS, toIso } from '../../shared/time.ts';
import type { ChainDigest, Holding } from './digest.ts';
import type { Entitlement, EntitlementStatus } from './model.ts';

/** How long a renewal that nobody could ask about is believed in, with and without a key. */
export const LEEWAY_WITH_KEY_MS = 6 * HOUR_MS;
export const LEEWAY_WITHOUT_KEY_MS = HOUR_MS;
/** The store tries to collect a failed renewal for sixty days. */
const BILLING_RETRY_MS = 60 * DAY_MS;

export type Chain = { environment: Environment; digest: ChainDigest; checkedAtMs: number };

export type Question = {
  nowMs: number;
  leewayMs: number;
  /** Only what entitles to this product. */
  productId: string | null;
  /** What an answer names that stands for no purchase. */
  environment: Environment;
};

export type Verdict = {
  entitlement: Entitlement;
  /** Chains whose row is out of date, so that the store should be asked. */
  stale: { environment: Environment; originalTransactionId: string }[];
};

type Item = {
  status: EntitlementStatus;
  holding: Holding;
  expiresAt: number | null;
  graceExpiresAt: number | null;
  stale: boolean;
  chain: Chain;
};

type Standing = Pick<Item, 'status' | 'graceExpiresAt' | 'stale'>;

const settled = (status: EntitlementStatus): Standing => ({
  status,
  graceExpiresAt: null,
  stale: false,
});

function inRetry(expiresAt: number, nowMs: number): Standing {
  return settled(nowMs < expiresAt + BILLING_RETRY_MS ? 'billing_retry' : 'expired');
}

function inGrace(graceExpiresAt: number, expiresAt: number, nowMs: number): Standing {
  if (nowMs < graceExpiresAt) return { status: 'billing_grace', graceExpiresAt, stale: false };
  return { ...inRetry(expiresAt, nowMs), stale: true };
}

/** The period has run out and was not revoked: trouble, an end, or a renewal not heard of yet. */
function afterExpiry(digest: ChainDigest, expiresAt: number, question: Question): Standing {
  const { nowMs, leewayMs } = question;
  if (digest.refundedAfter && digest.continuesUntil === null) return settled('revoked');
  const grace = digest.trouble?.graceExpiresAt ?? null;
  if (grace !== null && grace > expiresAt) return inGrace(grace, expiresAt, nowMs);
  if (digest.trouble?.retrying) return inRetry(expiresAt, nowMs);
  const mayHaveRenewed = digest.trouble === null || digest.renews;
  const leeway = mayHaveRenewed && nowMs < expiresAt + leewayMs;
  return { status: leeway ? 'active' : 'expired', graceExpiresAt: null, stale: true };
}

function standingOf(
  digest: ChainDigest,
  held: Holding,
  expiresAt: number | null,
  question: Question,
): Standing {
  const { nowMs } = question;
  if (digest.status === 2) return settled('expired');
  if (digest.status === 5) return settled('revoked');
  if (digest.status === 3) return inRetry(expiresAt ?? nowMs, nowMs);
  if (digest.status === 4) {
    const grace = digest.trouble?.graceExpiresAt ?? null;
    return inGrace(grace ?? 0, expiresAt ?? nowMs, nowMs);
  }
  if (held.revoked && digest.continuesUntil === null) return settled('revoked');
  if (expiresAt === null || nowMs < expiresAt) return settled('active');
  return afterExpiry(digest, expiresAt, question);
}

function currentItem(chain: Chain, held: Holding, question: Question): Item {
  const expiresAt = chain.digest.continuesUntil ?? held.expiresAt;
  const standing = standingOf(chain.digest, held, expiresAt, question);
  const refunded = chain.digest.refundedAfter;
  if (standing.status === 'revoked' && refunded) {
    return { ...standing, holding: refunded, expiresAt: refunded.expiresAt, chain };
  }
  return { ...standing, holding: held, expiresAt, chain };
}

function pastItem(chain: Chain, held: Holding, nowMs: number): Item {
  const running = held.expiresAt === null || nowMs < held.expiresAt;
  const status = held.revoked ? 'revoked' : running ? 'active' : 'expired';
  return { ...settled(status), holding: held, expiresAt: held.expiresAt, chain };
}

function itemsOf(chain: Chain, question: Question): Item[] {
  const { current, past } = chain.digest;
  if (!current) return [];
  const items = [currentItem(chain, current, question)];
  if (question.productId === null) return items;
  for (const held of past) items.push(pastItem(chain, held, question.nowMs));
  return items.filter((item) => item.holding.productId === question.productId);
}

const RANK: Readonly<Record<EntitlementStatus, number>> = {
  active: 0,
  billing_grace: 1,
  billing_retry: 2,
  revoked: 3,
  expired: 3,
  none: 4,
};

/** What entitles more comes first; of equals the one that was paid for. */
function byWorth(a: Item, b: Item): number {
  const paid = (item: Item) => (item.chain.environment === 'Production' ? 0 : 1);
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

export function noEntitlement(checkedAtMs: number, environment: Environment): Entitlement {
  return {
    entitled: false,
    status: 'none',
    productId: null,
    expiresAt: null,
    graceExpiresAt: null,
    willRenew: false,
    ownership: null,
    originalTransactionId: null,
    environment,
    checkedAt: toIso(new Date(checkedAtMs)),
  };
}

function toEntitlement(item: Item): Entitlement {
  const { digest, checkedAtMs, environment } = item.chain;
  const ended = item.status === 'expired' || item.status === 'revoked';
  return {
    entitled: item.status === 'active' || item.status === 'billing_grace',
    status: item.status,
    productId: item.holding.productId,
    expiresAt: iso(item.expiresAt),
    graceExpiresAt: iso(item.graceExpiresAt),
    willRenew: !ended && item.holding === digest.current && digest.renews,
    ownership: item.holding.ownership,
    originalTransactionId: digest.originalTransactionId,
    environment,
    checkedAt: toIso(new Date(checkedAtMs)),
  };
}

/** What a person with these chains may use now: the best of them, and what is out of date. */
export function entitlementOf(chains: readonly Chain[], question: Question): Verdict {
  const items = chains.flatMap((chain) => itemsOf(chain, question)).sort(byWorth);
  const best = items[0];
  if (!best) {
    return { entitlement: noEntitlement(question.nowMs, question.environment), stale: [] };
  }
  const certain = best.status === 'active' && !best.stale;
  const stale = certain ? [] : items.filter((item) => item.stale);
  return {
    entitlement: toEntitlement(best),
    stale: stale.map(({ chain: { environment, digest } }) => ({
      environment,
      originalTransactionId: digest.originalTransactionId,
    })),
  };
}
