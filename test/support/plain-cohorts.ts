import type { ChainHistory } from '../../src/modules/purchases/overview/history.ts';
import { beginning, localDay, payments, refundedPart, worth } from './plain-revenue.ts';
import { DAY } from './subscription-histories.ts';

export type Interval = 'week' | 'month';
type Owned = { name: string | null; history: ChainHistory };
type Asked = {
  by: 'first_seen' | 'first_trial' | 'first_purchase';
  interval: Interval;
  timezone: string;
  from: string;
  to: string;
  now: number;
  /** Of people of purchases, whether they bought anything or not. */
  seen: Record<string, number | null>;
  strangers: readonly number[];
};

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

function following(start: string, interval: Interval): string {
  return interval === 'week' ? addDays(start, 7) : beginning(addDays(start, 32), 'month');
}

type Part = { from: number; to: number; isPaid: boolean };

/** What is lived through, by purchase order: until the next, the end, the grace or the refund. */
function lived({ transactions, renewals }: ChainHistory): Part[] {
  const own = transactions.filter((one) => !one.familyShared && one.autoRenewable);
  const ordered = [...own].sort((a, b) => a.purchasedAt - b.purchasedAt);
  const parts: Part[] = [];
  for (const [index, one] of ordered.entries()) {
    const next = ordered[index + 1];
    let end = one.expiresAt!;
    const until = next?.purchasedAt ?? Number.POSITIVE_INFINITY;
    for (const { signedAt, graceExpiresAt } of renewals) {
      if (signedAt < one.purchasedAt || signedAt > until) continue;
      if (graceExpiresAt !== null && graceExpiresAt > end) end = graceExpiresAt;
    }
    if (one.revokedAt !== null) end = Math.min(end, one.revokedAt);
    end = Math.min(end, until);
    if (end <= one.purchasedAt) continue;
    const isPaid = !one.freeTrial && one.priceMilliunits !== 0;
    parts.push({ from: one.purchasedAt, to: end, isPaid });
  }
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const gap = next ? next.from - part.to : 0;
    if (next && part.isPaid && next.isPaid && gap > 0 && gap < DAY) part.to = next.from;
  }
  return parts;
}

/** Independent of the code: everybody and every interval, one by one, by local dates. */
export function recountedCohorts(owned: readonly Owned[], asked: Asked) {
  const { by, interval, timezone, now } = asked;
  const today = localDay(now, timezone);
  const starts: string[] = [];
  let next = beginning(asked.from, interval);
  while (next <= today) {
    starts.push(next);
    next = following(next, interval);
  }
  const present = starts.length - 1;
  const first = starts[0]!;
  const count = starts.filter((start) => start <= asked.to).length;
  const intervalOf = (ms: number): number => {
    const start = beginning(localDay(ms, timezone), interval);
    return start < first ? -1 : starts.indexOf(start);
  };
  const names = new Set(Object.keys(asked.seen));
  const earliest = (all: (number | null)[]): number | null => {
    let found: number | null = null;
    for (const one of all) {
      if (one !== null && one <= now && (found === null || one < found)) found = one;
    }
    return found;
  };
  const beginOf = (name: string): number | null => {
    const mine = owned.filter((one) => one.name === name);
    const own = mine
      .flatMap(({ history }) => history.transactions)
      .filter(({ familyShared }) => !familyShared);
    const trials = own.filter(({ freeTrial }) => freeTrial).map((one) => one.purchasedAt);
    const paid = own
      .filter(({ freeTrial, priceMilliunits }) => !freeTrial && priceMilliunits !== 0)
      .map((one) => one.purchasedAt);
    if (by === 'first_trial') return earliest(trials);
    if (by === 'first_purchase') return earliest(paid);
    const bought = earliest(own.map((one) => one.purchasedAt));
    const seenAt = asked.seen[name] ?? null;
    const isOver = seenAt !== null && intervalOf(seenAt) === -1 && seenAt > now;
    const seen = isOver || (seenAt !== null && localDay(seenAt, timezone) >= next) ? null : seenAt;
    if (bought === null || seen === null) return bought ?? seen;
    return Math.min(bought, seen);
  };
  const cohorts = starts.slice(0, count).map((start, index) => ({
    start,
    people: 0,
    net: 0,
    periods: Array.from({ length: starts.length - index }, (_, period) =>
      index + period < present
        ? { net: 0, payers: 0, subscriptions: { begun: 0, active: 0 } }
        : null,
    ),
  }));
  const sums = { total: 0, cohorts: 0, earlier: 0, later: 0, before: 0, never: 0, nobody: 0 };
  let nobodyPurchases = 0;
  const lives: { days: number; ended: boolean }[] = [];
  const entries = (history: ChainHistory) =>
    payments(history).flatMap(({ one }) => {
      const { priceMilliunits, currency, purchasedAt, revokedAt } = one;
      const gross =
        priceMilliunits === null ? 0 : (worth(priceMilliunits, currency!, purchasedAt) ?? 0);
      const bought = { at: purchasedAt, minor: gross, isPurchase: true };
      if (revokedAt === null || one.upgraded) return [bought];
      const minor = -refundedPart(gross, one.refundedMilliunits);
      return [bought, { at: revokedAt, minor, isPurchase: false }];
    });
  const inWindow = ({ at }: { at: number }) => at <= now && intervalOf(at) >= 0;
  for (const { name, history } of owned) {
    for (const entry of entries(history).filter(inWindow)) {
      sums.total += entry.minor;
      if (name !== null) continue;
      sums.nobody += entry.minor;
      if (entry.isPurchase) nobodyPurchases += 1;
    }
  }
  for (const name of names) {
    const begin = beginOf(name);
    const mine = owned.filter((one) => one.name === name);
    const paid = mine.flatMap(({ history }) => entries(history)).filter(inWindow);
    const index = begin === null ? null : intervalOf(begin);
    const cohort = index === null || index < 0 ? undefined : cohorts[index];
    if (index === null || !cohort) {
      const where = index === null ? 'never' : index < 0 ? 'earlier' : 'later';
      for (const { minor } of paid) sums[where] += minor;
      continue;
    }
    cohort.people += 1;
    for (const { at, minor } of paid) {
      const isBefore = intervalOf(at) < index;
      sums[isBefore ? 'before' : 'cohorts'] += minor;
      if (!isBefore) cohort.net += minor;
    }
    for (const [period, cell] of cohort.periods.entries()) {
      if (!cell) continue;
      const sofar = paid.filter(({ at }) => {
        const place = intervalOf(at);
        return place >= index && place <= index + period;
      });
      for (const { minor } of sofar) cell.net += minor;
      if (sofar.some(({ isPurchase }) => isPurchase)) cell.payers += 1;
    }
    for (const { history } of mine) {
      const parts = lived(history).filter(({ from }) => from <= now);
      const begun = parts.find(({ isPaid }) => isPaid);
      if (!begun || intervalOf(begun.from) < index) continue;
      for (const [period, cell] of cohort.periods.entries()) {
        if (!cell || intervalOf(begun.from) > index + period) continue;
        cell.subscriptions.begun += 1;
        const end = starts[index + period + 1]!;
        // Paid on both sides of the end of the interval.
        const isActive = parts.some(
          ({ from, to, isPaid }) =>
            isPaid && localDay(from, timezone) < end && localDay(to, timezone) >= end,
        );
        if (isActive) cell.subscriptions.active += 1;
      }
      let end = begun.to;
      for (const part of parts.slice(parts.indexOf(begun) + 1)) {
        if (!part.isPaid || part.from !== end) break;
        end = part.to;
      }
      const ended = end <= now;
      lives.push({ days: Math.floor(((ended ? end : now) - begun.from) / DAY), ended });
    }
  }
  if (by === 'first_seen') {
    for (const at of asked.strangers) {
      const index = intervalOf(at);
      const cohort = cohorts[index];
      if (cohort && localDay(at, timezone) < next) cohort.people += 1;
    }
  }
  const money = {
    totalMinor: sums.total,
    cohortsMinor: sums.cohorts,
    earlierMinor: sums.earlier,
    laterMinor: sums.later,
    beforeMinor: sums.before,
    neverMinor: sums.never,
    nobody: { purchases: nobodyPurchases, netMinor: sums.nobody },
  };
  return { cohorts, money, lives };
}
