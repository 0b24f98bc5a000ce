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

/** Months⁻¹ of the plan, by its product. */
const MONTHLY: Readonly<Record<string, number>> = { basic: 4, pro: 1, max: 1 / 12 };

type Lived = {
  from: number;
  end: number;
  isPaid: boolean;
  /** A month's worth in thousandths of the currency. */
  monthly: (t: number) => number;
  /** Where it changes. */
  edges: number[];
};

/**
 * What Google named to the service: the first order of a renewal is asked for by its number. A grace
 * that was over before is told by nobody.
 */
export function knownOf(
  { periods, addOns }: GoogleSubscription,
  named: ReadonlySet<string>,
  connectedAt: number,
) {
  const firstOf = (orderId: string) => orderId.split('..')[0]!;
  const firsts = new Set([...named].map(firstOf));
  const isKnown = ({ orderId }: Paid) => firsts.has(firstOf(orderId));
  const known = periods.filter(isKnown).map((one) => {
    const isTold = one.graceTo !== null && one.graceTo > connectedAt;
    return isTold ? one : { ...one, graceTo: null };
  });
  return { periods: known, addOns: addOns.filter(isKnown) };
}

/** Each period as long as it lasted. */
export function livedOf(periods: readonly Paid[], addOns: readonly Paid[] = []): Lived[] {
  const lived: Lived[] = [];
  for (const [at, one] of periods.entries()) {
    const next = periods[at + 1]?.from ?? Infinity;
    const end = Math.min(one.graceTo ?? one.to, one.refundedAt ?? Infinity, next);
    if (end <= one.from) continue;
    const beside = addOns.filter(({ to }) => to === one.to);
    const monthly = (t: number) => {
      let worth = one.listed;
      for (const addOn of beside) {
        if (addOn.from <= t && t < (addOn.refundedAt ?? Infinity)) worth += addOn.listed;
      }
      return worth * MONTHLY[one.productId]!;
    };
    const edges = beside.flatMap(({ from, refundedAt }) => [from, refundedAt ?? from]);
    lived.push({ from: one.from, end, isPaid: !one.isTrial, monthly, edges });
  }
  return lived;
}

/** Gaps of less than a day between paid periods are none; zero where none is paid. */
function worthAt(lived: readonly Lived[], t: number): number {
  let found: Lived | undefined;
  let next: Lived | undefined;
  for (const one of lived) {
    if (one.from <= t) found = one;
    else next ??= one;
  }
  if (!found?.isPaid) return 0;
  const goesOn = next?.isPaid === true && next.from - found.end < DAY;
  return t < found.end || goesOn ? found.monthly(t) : 0;
}

const NO_MOVES = { start: 0, new: 0, returned: 0, churned: 0, expanded: 0, contracted: 0, end: 0 };
export type Moved = typeof NO_MOVES;

/** Counts, and their worth in thousandths. */
export function movementOf(
  chains: readonly { lived: readonly Lived[]; rate: number }[],
  { fromMs, endMs }: { fromMs: number; endMs: number },
): { counts: Moved; worth: Moved } {
  const [counts, worth] = [{ ...NO_MOVES }, { ...NO_MOVES }];
  for (const { lived, rate } of chains) {
    const instants = new Set<number>();
    for (const { from, end } of lived) instants.add(from).add(end);
    let wasPaid = false;
    const add = (name: keyof Moved, amount: number) => {
      counts[name] += 1;
      worth[name] += amount * rate;
    };
    for (const { edges } of lived) for (const edge of edges) instants.add(edge);
    for (const t of [...instants].sort((a, b) => a - b)) {
      const [before, after] = [worthAt(lived, t - 1), worthAt(lived, t)];
      if (t >= fromMs && t < endMs) {
        if (before === 0 && after > 0) add(wasPaid ? 'returned' : 'new', after);
        else if (before > 0 && after === 0) add('churned', before);
        else if (after > before) add('expanded', after - before);
        else if (after < before) add('contracted', before - after);
      }
      if (after > 0) wasPaid = true;
    }
    const [start, end] = [worthAt(lived, fromMs - 1), worthAt(lived, endMs - 1)];
    if (start > 0) add('start', start);
    if (end > 0) add('end', end);
  }
  return { counts, worth };
}

/** Of payments and refunds. */
export type Money = {
  at: number;
  milliunits: number;
  currency: string;
  back: { at: number; milliunits: number } | null;
  /** Null where it is not asked for. */
  kind: string | null;
};

type Sold = { periods: readonly Paid[]; addOns: readonly Paid[] };

export function moneyOfSubscription({ periods, addOns }: Sold, { options }: GoogleSubscription) {
  const money: Money[] = [];
  const { currency, isTest } = options;
  let kind = 'new';
  const kinds = new Map<number, string>();
  for (const one of periods) {
    if (one.isTrial && kind === 'new') kind = 'after_trial';
    if (one.isTrial) continue;
    kinds.set(one.paidAt, kind);
    kind = 'renewal';
  }
  for (const one of isTest ? [] : [...periods, ...addOns]) {
    const { paidAt: at, milliunits, refundedAt, givenBack } = one;
    if (milliunits === 0) continue;
    const back = refundedAt === null ? givenBack : { at: refundedAt, milliunits };
    money.push({ at, milliunits, currency, back, kind: kinds.get(at) ?? 'renewal' });
  }
  return money;
}

/** What a promo code buys is a purchase without a price. */
export function moneyOfProduct({ boughtAt, voidedAt, options }: GoogleProduct): Money[] {
  if (boughtAt === null || options.isTest) return [];
  const milliunits = options.isPromo ? 0 : options.milliunits * options.quantity;
  const back = voidedAt === null ? null : { at: voidedAt, milliunits };
  return [{ at: boughtAt, milliunits, currency: options.currency, back, kind: 'one_time' }];
}

export function moneyOfAppStore(told: readonly Told[]): Money[] {
  const newest = new Map<string, Told['transaction']>();
  for (const { transaction } of told) newest.set(transaction.transactionId, transaction);
  const money: Money[] = [];
  for (const one of newest.values()) {
    if (one.price === 0 || one.environment !== 'Production') continue;
    const refundedAt = one.isUpgraded ? null : (one.revocationDate ?? null);
    const { purchaseDate: at, price: milliunits, currency } = one;
    const back = refundedAt === null ? null : { at: refundedAt, milliunits };
    money.push({ at, milliunits, currency, back, kind: null });
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
  for (const { at, milliunits, currency, back } of money) {
    const minor = worth(milliunits, currency, at);
    monthOf(at).gross += minor;
    if (back === null) continue;
    monthOf(back.at).refunded += partOf(minor, back.milliunits, milliunits);
    monthOf(back.at).refunds += 1;
  }
  return months;
}

/** By a share of 100,000, each half to even. */
export function partOf(minor: number, part: number, whole: number): number {
  const share = Math.round((part * 100_000) / whole);
  const [cents, rest] = [Math.floor((minor * share) / 100_000), (minor * share) % 100_000];
  return rest > 50_000 || (rest === 50_000 && cents % 2 === 1) ? cents + 1 : cents;
}
