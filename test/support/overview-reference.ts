import type { RenewalPayload, TransactionPayload } from '../simulators/store-server/payloads.ts';
import type { Told } from '../simulators/store-server/subscription.ts';

/*
 * The overview of purchases a second time, by plain loops over the instants of each subscription,
 * from the store's own payloads. Nothing here uses the code that it checks.
 */

const DAY = 86_400_000;
const MONTH = (365.25 / 12) * DAY;

/** [name, length, months⁻¹] */
const LENGTHS: readonly [string, number, number][] = [
  ['1 day', DAY, 30],
  ['3 days', 3 * DAY, 10],
  ['1 week', 7 * DAY, 4],
  ['2 weeks', 14 * DAY, 2],
  ['4 weeks', 28 * DAY, 1],
  ['1 month', MONTH, 1],
  ['2 months', 2 * MONTH, 1 / 2],
  ['3 months', 3 * MONTH, 1 / 3],
  ['6 months', 6 * MONTH, 1 / 6],
  ['1 year', 12 * MONTH, 1 / 12],
];

/** Minor units of the answer's currency for one unit on the day of an instant. */
export type RateAt = (currency: string, atMs: number) => number | null;

type Period = TransactionPayload & { end: number; firstEnd: number; notes: RenewalPayload[] };
type Chain = { periods: Period[]; lastNote: RenewalPayload; family: boolean };

/** What was signed last of each period and everything that was signed about its renewal. */
function chainOf(told: readonly Told[]): Chain {
  const inOrder = [...told].sort((a, b) => a.signedDate - b.signedDate);
  const byId = new Map<string, { newest: TransactionPayload; firstEnd: number }>();
  for (const { transaction } of inOrder) {
    const end = transaction.expiresDate!;
    const firstEnd = Math.min(byId.get(transaction.transactionId)?.firstEnd ?? end, end);
    byId.set(transaction.transactionId, { newest: transaction, firstEnd });
  }
  const bought = [...byId.values()].sort((a, b) => a.newest.purchaseDate - b.newest.purchaseDate);
  const periods = bought.map(({ newest, firstEnd }, index): Period => {
    const next = bought[index + 1]?.newest.purchaseDate ?? Infinity;
    const notes: RenewalPayload[] = [];
    for (const { renewal } of inOrder) {
      if (renewal.signedDate >= newest.purchaseDate && renewal.signedDate <= next) {
        notes.push(renewal);
      }
    }
    let end = newest.expiresDate!;
    for (const { gracePeriodExpiresDate: grace } of notes) {
      if (grace && grace > newest.expiresDate!) end = grace;
    }
    end = Math.min(end, newest.revocationDate ?? Infinity, next);
    return { ...newest, end, firstEnd, notes };
  });
  return {
    periods,
    lastNote: inOrder.at(-1)!.renewal,
    family: told[0]!.transaction.inAppOwnershipType === 'FAMILY_SHARED',
  };
}

const kindOf = ({ offerDiscountType, price }: TransactionPayload) =>
  offerDiscountType === 'FREE_TRIAL' ? 'trials' : price === 0 ? 'freeOffers' : 'active';

const isOffer = ({ offerDiscountType }: TransactionPayload) => offerDiscountType === 'PAY_UP_FRONT';
const isMonthly = ({ billingPlanType }: TransactionPayload) => billingPlanType === 'MONTHLY';

function nearest(ms: number): number {
  let best = 0;
  for (const [index, [, length]] of LENGTHS.entries()) {
    if (Math.abs(length - ms) < Math.abs(LENGTHS[best]![1] - ms)) best = index;
  }
  return best;
}

/** The length of most paid periods of a product, of all customers; of equally many the longer. */
function lengthsOf(chains: readonly Chain[], reported: Readonly<Record<string, string>>) {
  const counts = new Map<string, number[]>();
  const keyOf = (one: Period) => `${one.productId} ${isMonthly(one)}`;
  for (const { family, periods } of chains) {
    for (const one of periods) {
      if (family || one.end <= one.purchaseDate || kindOf(one) !== 'active' || isOffer(one))
        continue;
      const count = counts.get(keyOf(one)) ?? LENGTHS.map(() => 0);
      count[nearest(one.firstEnd - one.purchaseDate)]! += 1;
      counts.set(keyOf(one), count);
    }
  }
  return (one: Period): readonly [string, number, number] => {
    if (isOffer(one)) return LENGTHS.find(([name]) => name === '6 months')!;
    const said = isMonthly(one) ? undefined : reported[one.productId];
    if (said) return LENGTHS.find(([name]) => name === said)!;
    const count = counts.get(keyOf(one))!;
    return LENGTHS[count.lastIndexOf(Math.max(...count))]!;
  };
}

/** The last period bought by then that lasted at all. */
function periodAt({ periods }: Chain, t: number): { one: Period; next: Period | undefined } | null {
  const lived = periods.filter(({ end, purchaseDate }) => end > purchaseDate);
  const index = lived.findLastIndex(({ purchaseDate }) => purchaseDate <= t);
  return index < 0 ? null : { one: lived[index]!, next: lived[index + 1] };
}

const LEVELS = ['active', 'grace', 'trials', 'freeOffers', 'billingRetry'] as const;
type Level = (typeof LEVELS)[number];

/** What a subscription is at an instant, and of which period. */
function stateAt(chain: Chain, t: number): { one: Period; levels: Level[] } | null {
  const found = periodAt(chain, t);
  if (!found) return null;
  const { one, next } = found;
  const grace = one.notes.findLast(
    ({ gracePeriodExpiresDate: end }) => end && end > one.expiresDate!,
  );
  if (t < one.end) {
    return {
      one,
      levels: [kindOf(one), ...(grace && t >= one.expiresDate! ? ['grace' as const] : [])],
    };
  }
  const arePaid = kindOf(one) === 'active' && next !== undefined && kindOf(next) === 'active';
  if (arePaid && next.purchaseDate - one.end < DAY) return { one, levels: ['active'] };
  if (one.revocationDate !== undefined && one.revocationDate <= t) return { one, levels: [] };
  // Retried from when the store said so until it said otherwise.
  const began = one.notes.find(({ isInBillingRetryPeriod }) => isInBillingRetryPeriod);
  if (!began || t >= one.expiresDate! + (isMonthly(one) ? 90 : 60) * DAY)
    return { one, levels: [] };
  for (const { signedDate, isInBillingRetryPeriod } of one.notes) {
    if (signedDate > began.signedDate && signedDate <= t && !isInBillingRetryPeriod) {
      return { one, levels: [] };
    }
  }
  return { one, levels: ['billingRetry'] };
}

/** Why a paid period ended. */
function reasonOf({ revocationDate, end, notes, expiresDate }: Period) {
  if (revocationDate !== undefined && revocationDate <= end) return 'refund';
  let intent: number | undefined;
  for (const note of notes) intent = note.expirationIntent ?? intent;
  if (intent !== undefined) return intent === 1 ? 'voluntary' : intent === 2 ? 'billing' : 'other';
  const before = notes.findLast(({ signedDate }) => signedDate <= end);
  const after = notes.find(({ signedDate }) => signedDate > end);
  for (const note of [before, after]) {
    if (note?.isInBillingRetryPeriod) return 'billing';
    if (note && (note.gracePeriodExpiresDate ?? 0) > expiresDate!) return 'billing';
  }
  const said = after ?? before;
  return said && !willRenew(said) ? 'voluntary' : 'other';
}

const willRenew = ({ commitmentInfo, autoRenewStatus }: RenewalPayload) =>
  (commitmentInfo?.commitmentAutoRenewStatus ?? autoRenewStatus) === 1;

const noMovement = () => ({
  start: 0,
  new: 0,
  returned: 0,
  churned: 0,
  end: 0,
  recovered: 0,
  expanded: 0,
  contracted: 0,
});
const noMrr = () => ({
  start: 0,
  new: 0,
  returned: 0,
  expansion: 0,
  contraction: 0,
  churned: 0,
  exchange: 0,
  end: 0,
});
const noLevels = () => ({ active: 0, grace: 0, trials: 0, freeOffers: 0, billingRetry: 0 });
const noMoves = () => ({
  start: 0,
  new: 0,
  returned: 0,
  churned: 0,
  switchedIn: 0,
  switchedOut: 0,
});
const noPart = () => ({ ...noLevels(), ...noMoves(), mrrMinor: 0 });
const noTrials = () => ({ started: 0, converted: 0, pending: 0, abandoned: 0 });
const noDay = () => ({
  ...noLevels(),
  mrrMinor: 0,
  subscriptions: noMovement(),
  mrr: noMrr(),
  cohort: noTrials(),
  refunds: { count: 0, amountMinor: 0 },
  paid: 0,
  refunded: 0,
});
const noChurn = () => ({
  activeAtStart: 0,
  voluntary: 0,
  billing: 0,
  refund: 0,
  other: 0,
  returned: 0,
});

/** The entry of a key, made at its first use. */
function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

export type ReferenceInput = {
  told: readonly (readonly Told[])[];
  fromMs: number;
  endMs: number;
  nowMs: number;
  rateAt: RateAt;
  /** What the store's report calls the length of a product. */
  reported?: Readonly<Record<string, string>>;
};

/** Amounts are not rounded. */
export function referenceOverview({
  told,
  fromMs,
  endMs,
  nowMs,
  rateAt,
  reported,
}: ReferenceInput) {
  const chains = told.map(chainOf);
  const lengthOf = lengthsOf(chains, reported ?? {});
  const mrrOf = (one: Period, atMs = one.purchaseDate): number | null => {
    const rate = rateAt(one.currency, atMs);
    return rate === null ? null : (one.price / 1_000) * rate * lengthOf(one)[2];
  };
  const days = Array.from({ length: Math.ceil((endMs - fromMs) / DAY) }, noDay);
  const dayOf = (t: number) =>
    t >= fromMs && t < endMs ? days[Math.floor((t - fromMs) / DAY)] : undefined;
  const products = new Map<string, ReturnType<typeof noPart>>();
  const countries = new Map<string, ReturnType<typeof noPart>>();
  const churn = new Map<string, ReturnType<typeof noChurn>>();
  const unconverted = new Map<string, { active: number; transactions: number }>();
  const total = { ...noLevels(), familyShared: 0, willNotRenew: 0, mrrMinor: 0 };
  const subscriptions = noMovement();
  const mrr = noMrr();
  const partsOf = (one: Period) =>
    [entry(products, one.productId, noPart), entry(countries, one.storefront, noPart)] as const;
  const unconvertedOf = ({ currency }: Period) =>
    entry(unconverted, currency, () => ({ active: 0, transactions: 0 }));

  for (const chain of chains) {
    const paidAt = (t: number): Period | null => {
      const state = stateAt(chain, t);
      return state?.levels.includes('active') ? state.one : null;
    };
    if (chain.family) {
      const state = stateAt(chain, endMs - 1);
      if (state && endMs - 1 < state.one.end) total.familyShared += 1;
      continue;
    }
    const { periods } = chain;
    const instants = new Set(periods.flatMap(({ purchaseDate, end }) => [purchaseDate, end]));
    let last: Period | null = null;
    for (const t of [...instants].sort((a, b) => a - b)) {
      const [before, after] = [paidAt(t - 1), paidAt(t)];
      const day = dayOf(t);
      const counts = day ? [subscriptions, day.subscriptions] : [];
      const amounts = day ? [mrr, day.mrr] : [];
      if (!before && after) {
        const kind = last ? 'returned' : 'new';
        for (const count of counts) count[kind] += 1;
        for (const amount of amounts) amount[kind] += mrrOf(after) ?? 0;
        if (day) for (const part of partsOf(after)) part[kind] += 1;
        if (day && last) entry(churn, lengthOf(last)[0], noChurn).returned += 1;
      } else if (before && !after) {
        for (const count of counts) count.churned += 1;
        for (const amount of amounts) amount.churned += mrrOf(before) ?? 0;
        if (day) for (const part of partsOf(before)) part.churned += 1;
        if (day) entry(churn, lengthOf(before)[0], noChurn)[reasonOf(before)] += 1;
      } else if (before && after && before !== after) {
        const own = mrrOf(after) ?? 0;
        const old = mrrOf(before) ?? 0;
        const revalued = mrrOf(before, t) ?? (before.currency === after.currency ? own : old);
        const isGrace = stateAt(chain, t - 1)?.levels.includes('grace');
        for (const count of counts) {
          if (own - revalued > 1e-5) count.expanded += 1;
          if (revalued - own > 1e-5) count.contracted += 1;
          if (isGrace) count.recovered += 1;
        }
        for (const amount of amounts) {
          amount.expansion += Math.max(0, own - revalued);
          amount.contraction += Math.max(0, revalued - own);
          amount.exchange += revalued - old;
        }
        for (const [index, key] of (['productId', 'storefront'] as const).entries()) {
          if (!day || before[key] === after[key]) continue;
          partsOf(before)[index]!.switchedOut += 1;
          partsOf(after)[index]!.switchedIn += 1;
        }
      }
      last = after ?? last;
    }

    const start = paidAt(fromMs - 1);
    if (start) {
      subscriptions.start += 1;
      mrr.start += mrrOf(start) ?? 0;
      entry(churn, lengthOf(start)[0], noChurn).activeAtStart += 1;
      for (const part of partsOf(start)) part.start += 1;
    }
    for (const [index, day] of days.entries()) {
      const state = stateAt(chain, Math.min(fromMs + (index + 1) * DAY, endMs) - 1);
      for (const level of state?.levels ?? []) day[level] += 1;
      if (state?.levels.includes('active')) day.mrrMinor += mrrOf(state.one) ?? 0;
    }
    const state = stateAt(chain, endMs - 1);
    for (const level of state?.levels ?? []) {
      total[level] += 1;
      for (const part of partsOf(state!.one)) part[level] += 1;
    }
    if (state?.levels.includes('active')) {
      const own = mrrOf(state.one);
      total.mrrMinor += own ?? 0;
      for (const part of partsOf(state.one)) part.mrrMinor += own ?? 0;
      if (!willRenew(chain.lastNote)) total.willNotRenew += 1;
      if (own === null) unconvertedOf(state.one).active += 1;
    }

    const lived = periods.filter(({ end, purchaseDate }) => end > purchaseDate);
    for (const [index, one] of lived.entries()) {
      const previous = lived[index - 1];
      const goesOn = previous && kindOf(previous) === 'trials' && previous.end === one.purchaseDate;
      const cohort = dayOf(one.purchaseDate)?.cohort;
      if (kindOf(one) !== 'trials' || goesOn || !cohort) continue;
      cohort.started += 1;
      let place = index;
      while (
        lived[place + 1] &&
        kindOf(lived[place + 1]!) === 'trials' &&
        lived[place]!.end === lived[place + 1]!.purchaseDate
      ) {
        place += 1;
      }
      let next = place + 1;
      while (lived[next] && kindOf(lived[next]!) === 'freeOffers') next += 1;
      const following = lived[next];
      if (following) {
        const isKept = following.revocationDate === undefined || following.isUpgraded === true;
        const isPaid = kindOf(following) === 'active' && isKept;
        cohort[isPaid ? 'converted' : 'abandoned'] += 1;
      } else if (
        place === lived.length - 1 &&
        lived[place]!.end > nowMs &&
        willRenew(chain.lastNote)
      ) {
        cohort.pending += 1;
      } else cohort.abandoned += 1;
    }

    for (const one of periods) {
      if (kindOf(one) !== 'active') continue;
      const { revocationDate, isUpgraded } = one;
      const isRefunded = revocationDate !== undefined && !isUpgraded;
      const bought = dayOf(one.purchaseDate);
      const refundedOn = isRefunded ? dayOf(revocationDate) : undefined;
      const rate = rateAt(one.currency, one.purchaseDate);
      if (rate === null && (bought || refundedOn)) unconvertedOf(one).transactions += 1;
      if (bought) bought.paid += 1;
      if (bought && isRefunded) bought.refunded += 1;
      if (!refundedOn) continue;
      refundedOn.refunds.count += 1;
      const share = (one.revocationPercentage ?? 100_000) / 100_000;
      refundedOn.refunds.amountMinor += (one.price / 1_000) * (rate ?? 0) * share;
    }
  }
  subscriptions.end = total.active;
  mrr.end = total.mrrMinor;
  return {
    ...{ ...total, subscriptions, mrr, days, products, countries, churn },
    unconverted: [...unconverted]
      .map(([currency, counts]) => ({ currency, ...counts }))
      .sort((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}
