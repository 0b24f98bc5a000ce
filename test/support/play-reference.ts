import type { GoogleProduct } from '../simulators/play-store/product.ts';
import type { GoogleSubscription } from '../simulators/play-store/actions.ts';
import type { Paid } from '../simulators/play-store/subscription.ts';
import type { SimulatedSubscription, Told } from '../simulators/store-server/subscription.ts';

/*
 * What purchases of two stores come to, by plain loops over what the stores themselves have. Nothing
 * here uses the code that it checks.
 */

const DAY = 86_400_000;

export type Held = {
  status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
  productId: string | null;
  /** Null of purchases that last. */
  expiresAt: number | null;
  graceExpiresAt: number | null;
  /** Null where it is not said. */
  willRenew: boolean | null;
  isReal: boolean;
  from: number;
};

function heldOfSubscription(one: GoogleSubscription): Held {
  const { state, newest, isRefunded, autoRenew, options } = one;
  const held: Held = {
    ...{ status: 'none', productId: null, expiresAt: null, graceExpiresAt: null },
    ...{ willRenew: false, isReal: !options.isTest, from: newest?.from ?? 0 },
  };
  if (!newest) return held;
  held.productId = newest.productId;
  held.expiresAt = newest.to;
  if (isRefunded) held.status = 'revoked';
  else if (one.isRunning) held.status = 'active';
  else if (state === 'IN_GRACE_PERIOD') held.status = 'billing_grace';
  else if (state === 'ON_HOLD') held.status = 'billing_retry';
  else held.status = 'expired';
  if (held.status === 'billing_grace') held.graceExpiresAt = newest.graceTo;
  const isOver = held.status === 'expired' || held.status === 'revoked';
  held.willRenew = !isOver && autoRenew;
  return held;
}

/** The plan and its add-on; either may be named as the best. */
export function heldOfSubscriptions(one: GoogleSubscription): Held[] {
  const plan = heldOfSubscription(one);
  const newest = one.addOns.at(-1);
  if (!newest) return [plan];
  const { productId, to: expiresAt } = newest;
  if (!one.addOn) return [plan, { ...plan, status: 'expired', productId, expiresAt }];
  const willRenew = one.addOn.isLeaving ? null : plan.willRenew;
  return [plan, { ...plan, productId, willRenew }];
}

export function heldOfProduct({ state, isConsumed, voidedAt, boughtAt, options }: GoogleProduct) {
  const held: Held = {
    ...{ status: 'none', productId: null, expiresAt: null, graceExpiresAt: null },
    ...{ willRenew: false, isReal: !options.isTest, from: boughtAt ?? 0 },
  };
  if (boughtAt === null || isConsumed) return held;
  held.productId = options.productId;
  held.status = voidedAt === null && state === 'PURCHASED' ? 'active' : 'revoked';
  return held;
}

export function heldOfAppStore(one: SimulatedSubscription): Held {
  const { status, productId, expiresAt, graceExpiresAt, willRenew } = one.truth();
  const isReal = one.options.environment === 'Production';
  const { purchaseDate: from } = one.newest;
  return { status, productId, expiresAt, graceExpiresAt, willRenew, isReal, from };
}

const RANK = { active: 0, billing_grace: 1, billing_retry: 2, revoked: 3, expired: 3, none: 4 };

/** Those that nothing is better than. */
export function best(all: readonly Held[]): Held[] {
  let found: Held[] = [];
  const worth = (one: Held) => [
    -RANK[one.status],
    one.isReal ? 1 : 0,
    one.expiresAt ?? Number.MAX_SAFE_INTEGER,
    one.from,
  ];
  for (const one of all) {
    const [first] = found;
    let order = 0;
    for (const [at, value] of first ? worth(one).entries() : []) {
      if (order === 0) order = value - worth(first!)[at]!;
    }
    if (!first || order > 0) found = [one];
    else if (order === 0) found.push(one);
  }
  return found;
}

type Lived = { from: number; end: number; isPaid: boolean };

/** Each period as long as it lasted. */
export function livedOf(periods: readonly Paid[]): Lived[] {
  const lived: Lived[] = [];
  for (const [at, one] of periods.entries()) {
    const next = periods[at + 1]?.from ?? Infinity;
    const end = Math.min(one.graceTo ?? one.to, one.refundedAt ?? Infinity, next);
    if (end > one.from) lived.push({ from: one.from, end, isPaid: !one.isTrial });
  }
  return lived;
}

/** Gaps of less than a day between paid periods are none. */
function isPaidAt(lived: readonly Lived[], t: number): boolean {
  let found: Lived | undefined;
  let next: Lived | undefined;
  for (const one of lived) {
    if (one.from <= t) found = one;
    else next ??= one;
  }
  if (!found?.isPaid) return false;
  if (t < found.end) return true;
  return next?.isPaid === true && next.from - found.end < DAY;
}

export type Moved = { start: number; new: number; returned: number; churned: number; end: number };

export function movementOf(
  chains: readonly (readonly Lived[])[],
  { fromMs, endMs }: { fromMs: number; endMs: number },
): Moved {
  const moved: Moved = { start: 0, new: 0, returned: 0, churned: 0, end: 0 };
  for (const lived of chains) {
    const instants = new Set<number>();
    for (const { from, end } of lived) instants.add(from).add(end);
    let wasPaid = false;
    for (const t of [...instants].sort((a, b) => a - b)) {
      const [before, after] = [isPaidAt(lived, t - 1), isPaidAt(lived, t)];
      if (t >= fromMs && t < endMs) {
        if (!before && after) moved[wasPaid ? 'returned' : 'new'] += 1;
        if (before && !after) moved.churned += 1;
      }
      if (after) wasPaid = true;
    }
    if (isPaidAt(lived, fromMs - 1)) moved.start += 1;
    if (isPaidAt(lived, endMs - 1)) moved.end += 1;
  }
  return moved;
}

/** Of payments and refunds. */
export type Money = {
  at: number;
  milliunits: number;
  currency: string;
  refundedAt: number | null;
};

export const moneyOfSubscription = ({ periods, addOns, options }: GoogleSubscription): Money[] =>
  options.isTest
    ? []
    : [...periods, ...addOns]
        .filter(({ isTrial }) => !isTrial)
        .map(({ from, milliunits, refundedAt }) => ({
          ...{ at: from, milliunits, currency: options.currency, refundedAt },
        }));

export function moneyOfProduct({ boughtAt, milliunits, voidedAt, options }: GoogleProduct) {
  if (boughtAt === null || options.isTest || options.isPromo) return [];
  const { currency } = options;
  return [{ at: boughtAt, milliunits, currency, refundedAt: voidedAt }];
}

export function moneyOfAppStore(told: readonly Told[]): Money[] {
  const newest = new Map<string, Told['transaction']>();
  for (const { transaction } of told) newest.set(transaction.transactionId, transaction);
  const money: Money[] = [];
  for (const one of newest.values()) {
    if (one.price === 0 || one.environment !== 'Production') continue;
    const refundedAt = one.isUpgraded ? null : (one.revocationDate ?? null);
    const { purchaseDate: at, price: milliunits, currency } = one;
    money.push({ at, milliunits, currency, refundedAt });
  }
  return money;
}

/** In cents, by month: payments, and refunds given in that month. */
export function revenueOf(
  money: readonly Money[],
  worth: (milliunits: number, currency: string, at: number) => number,
): Map<string, { gross: number; refunded: number; refunds: number }> {
  const months = new Map<string, { gross: number; refunded: number; refunds: number }>();
  const monthOf = (ms: number) => {
    const key = new Date(ms).toISOString().slice(0, 7);
    const month = months.get(key) ?? { gross: 0, refunded: 0, refunds: 0 };
    months.set(key, month);
    return month;
  };
  for (const { at, milliunits, currency, refundedAt } of money) {
    const minor = worth(milliunits, currency, at);
    monthOf(at).gross += minor;
    if (refundedAt === null) continue;
    monthOf(refundedAt).refunded += minor;
    monthOf(refundedAt).refunds += 1;
  }
  return months;
}
