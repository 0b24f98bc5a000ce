import { addDays } from '../../../shared/pacific.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { PurchasesOverview } from './model.ts';
import type { Movement } from './movement.ts';
import { DURATION_NAMES } from './period-length.ts';
import {
  countChurned,
  type DurationTally,
  LEVELS,
  type Levels,
  type Money,
  type OverviewTally,
  type OverviewWindow,
  type Part,
  type Purchased,
} from './tally.ts';
import { toStores } from './terms.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';

const toRate = (part: number, of: number): number | null =>
  of < MINIMUM_PEOPLE ? null : part / of;

/** `+ 0` removes a negative zero. */
const whole = (minor: number): number => Math.round(minor) + 0;

const toRefunds = ({ count, minor }: Money) => ({ count, amountMinor: whole(minor) });

/** `start + new + returned − churned = end`; breakdowns add the switched. */
function toCounts(movement: Movement) {
  const { start, returned, switchedIn, churned, switchedOut } = movement;
  const gained = movement.new.count + returned.count + switchedIn.count;
  return {
    start: start.count,
    new: movement.new.count,
    returned: returned.count,
    churned: churned.count,
    end: start.count + gained - churned.count - switchedOut.count,
    recovered: movement.recovered,
    expanded: movement.expansion.count,
    contracted: movement.contraction.count,
  };
}

/**
 * `start + new + returned + expansion − contraction − churned + exchange = end`. Differences of
 * rounded levels.
 */
function toMrr(movement: Movement) {
  let level = movement.start.mrr;
  const signed = (change: number): number => {
    const before = whole(level);
    level += change;
    return whole(level) - before;
  };
  const step = (change: number): number => Math.abs(signed(change));
  const gained = {
    start: whole(level),
    new: step(movement.new.mrr),
    returned: step(movement.returned.mrr),
    expansion: step(movement.expansion.mrr),
  };
  const switchedIn = step(movement.switchedIn.mrr);
  const lost = {
    contraction: step(-movement.contraction.mrr),
    churned: step(-movement.churned.mrr),
  };
  const switchedOut = step(-movement.switchedOut.mrr);
  const exchange = signed(movement.exchange);
  const mrr = { ...gained, ...lost, exchange, end: whole(level) };
  return { mrr, switchedIn, switchedOut, end: level };
}

function toPart({ levels, movement }: Part) {
  const { mrr, switchedIn, switchedOut } = toMrr(movement);
  const counts = { switchedIn: movement.switchedIn.count, switchedOut: movement.switchedOut.count };
  return {
    ...levels,
    mrrMinor: mrr.end,
    subscriptions: { ...toCounts(movement), ...counts },
    mrr: { ...mrr, switchedIn, switchedOut },
  };
}

function toParts(parts: ReadonlyMap<string, Part>) {
  return [...parts]
    .map(([name, part]) => ({ name, ...toPart(part) }))
    .filter(({ subscriptions: { start, new: begun, returned, switchedIn }, ...part }) =>
      [start, begun, returned, switchedIn, ...LEVELS.map((level) => part[level])].some(Boolean),
    )
    .toSorted((a, b) => b.mrrMinor - a.mrrMinor || (a.name < b.name ? -1 : 1));
}

function toDays(tally: OverviewTally, { fromMs, endMs }: OverviewWindow, from: string) {
  const levels: Levels = { ...tally.before };
  let { count, mrr } = tally.total.movement.start;
  return tally.days.map((day, index) => {
    for (const level of LEVELS) levels[level] += day.levels[level];
    Object.assign(day.movement.start, { count, mrr });
    const subscriptions = toCounts(day.movement);
    const amounts = toMrr(day.movement);
    count = subscriptions.end;
    mrr = amounts.end;
    return {
      day: addDays(from, index),
      isComplete: fromMs + (index + 1) * DAY_MS <= endMs,
      ...levels,
      mrrMinor: amounts.mrr.end,
      subscriptions,
      mrr: amounts.mrr,
      refunds: toRefunds(day.refunds),
    };
  });
}

/** Paid subscriptions ended ÷ active at the start; `netRate` subtracts the returned. */
function toChurn(durations: OverviewTally['durations']) {
  return DURATION_NAMES.flatMap((duration) => {
    const tally: DurationTally | undefined = durations.get(duration);
    if (!tally) return [];
    const { start, returned } = tally;
    const churned = countChurned(tally.churned);
    return [
      {
        duration,
        activeAtStart: start,
        churned,
        ...tally.churned,
        returned,
        rate: toRate(churned, start),
        voluntaryRate: toRate(tally.churned.voluntary, start),
        billingRate: toRate(tally.churned.billing, start),
        netRate: toRate(churned - returned, start),
      },
    ];
  });
}

/** Cohorts without pending trials only. */
function toTrials(tally: OverviewTally, from: string) {
  const cohorts = tally.days.map(({ trials }, index) => ({ day: addDays(from, index), ...trials }));
  const settled = cohorts.filter(({ pending }) => pending === 0);
  const started = settled.reduce((sum, cohort) => sum + cohort.started, 0);
  const converted = settled.reduce((sum, cohort) => sum + cohort.converted, 0);
  return { started, converted, rate: toRate(converted, started), cohorts };
}

/** Paid transactions since refunded ÷ paid transactions. */
function toRefundRate(purchased: readonly Purchased[]) {
  const paid = purchased.reduce((sum, one) => sum + one.paid, 0);
  const refunded = purchased.reduce((sum, one) => sum + one.refunded, 0);
  return { paid, refunded, refundRate: toRate(refunded, paid) };
}

/** The past changes by purchase day, not by refund day. */
function sumRefunds({ days }: OverviewTally): Omit<PurchasesOverview['refunds'], 'requests'> {
  const subscriptions = toRefundRate(days.map(({ purchased }) => purchased.subscriptions));
  const oneTime = toRefundRate(days.map(({ purchased }) => purchased.oneTime));
  const total = days.reduce(
    ({ count, minor }, { refunds }) => ({
      count: count + refunds.count,
      minor: minor + refunds.minor,
    }),
    { count: 0, minor: 0 },
  );
  return {
    byPurchaseDay: { ...toRefundRate([subscriptions, oneTime]), subscriptions, oneTime },
    byRefundDay: toRefunds(total),
  };
}

function toProceeds({ proceeds, terms }: OverviewTally) {
  const { count, minor, unknown } = proceeds;
  const reason = terms.missing ?? (unknown.count > 0 ? 'not_in_reports' : null);
  return {
    mrrProceedsMinor: terms.missing || (count === 0 && unknown.count > 0) ? null : whole(minor),
    mrrProceedsMissing:
      reason === null ? null : { reason, active: unknown.count, mrrMinor: whole(unknown.minor) },
  };
}

export function toOverview(tally: OverviewTally, window: OverviewWindow, from: string) {
  const { levels, movement } = tally.total;
  const { mrr } = toMrr(movement);
  return {
    ...levels,
    mrrMinor: mrr.end,
    ...toProceeds(tally),
    willNotRenew: tally.willNotRenew,
    subscriptions: toCounts(movement),
    mrr,
    churn: toChurn(tally.durations),
    trialConversion: toTrials(tally, from),
    refunds: sumRefunds(tally),
    byDay: toDays(tally, window, from),
    byProduct: toParts(tally.products).map(({ name, ...part }) => ({ productId: name, ...part })),
    byCountry: toParts(tally.countries).map(({ name, ...part }) => ({ country: name, ...part })),
    ...toStores(tally.stores, toPart),
    familyShared: tally.familyShared,
    nonRenewing: {
      purchases: toRefunds(tally.nonRenewing.purchases),
      refunds: toRefunds(tally.nonRenewing.refunds),
    },
    unconverted: [...tally.unconverted]
      .map(([currency, counts]) => ({ currency, ...counts }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    withoutPrice: tally.withoutPrice,
  };
}
