import { at } from '../../../shared/assert.ts';
import { type Store, STORES } from '../../../shared/stores.ts';
import { DAY_MS } from '../../../shared/time.ts';
import {
  CHURN_REASONS,
  type ChurnReason,
  isPayment,
  refundedAt,
  type Sold,
  type Span,
  recurringPriceOf,
} from './chain.ts';
import type { Fold } from './fold.ts';
import { findMoves, type Move, Movement, type Paid, type Valuation } from './movement.ts';
import type { DurationName } from './period-length.ts';
import { isReported, NO_TERMS, type Terms } from './terms.ts';
import { type TrialCohort, trialOutcome } from './trials.ts';

/** `[fromMs, endMs)` in whole UTC days, the last perhaps unfinished. */
export type OverviewWindow = { fromMs: number; endMs: number; days: number; nowMs: number };

export type Rate = (currency: string, atMs: number) => number | null;

export const LEVELS = ['active', 'grace', 'trials', 'freeOffers', 'billingRetry'] as const;
export type Level = (typeof LEVELS)[number];
export type Levels = Record<Level, number>;
const noLevels = (): Levels => ({ active: 0, grace: 0, trials: 0, freeOffers: 0, billingRetry: 0 });

export type Money = { count: number; minor: number };
const noMoney = (): Money => ({ count: 0, minor: 0 });

export type Purchased = { paid: number; refunded: number };

const noPurchased = (): Purchased => ({ paid: 0, refunded: 0 });

export type Part = { levels: Levels; movement: Movement };
export type DayTally = Part & {
  trials: TrialCohort;
  /** By purchase day, with refunds since. */
  purchased: { subscriptions: Purchased; oneTime: Purchased };
  /** By refund day. */
  refunds: Money;
};

export type DurationTally = {
  start: number;
  returned: number;
  churned: Record<ChurnReason, number>;
};

const MAX_PARTS = 5_000;
export const OTHER = 'other';

/** Power of two: exact sums in any order, up to 2^33 minor units. */
const GRID = 2 ** 20;
const onGrid = (minor: number): number => Math.round(minor * GRID) / GRID;

const noTrials = (): TrialCohort => ({ started: 0, converted: 0, pending: 0, abandoned: 0 });
const noChurn = () => ({ voluntary: 0, billing: 0, refund: 0, other: 0 });

/** Bounded memory: sums by day, product, country and length. */
export class OverviewTally {
  readonly total = { levels: noLevels(), movement: new Movement() };
  readonly before: Levels = noLevels();
  readonly days: DayTally[];
  readonly products = new Map<string, Part>();
  readonly countries = new Map<string, Part>();
  readonly stores = new Map<string, Part>();
  readonly durations = new Map<DurationName, DurationTally>();
  readonly unconverted = new Map<string, { active: number; transactions: number }>();
  /** Active at the end, price not signed. */
  withoutPrice = 0;
  willNotRenew = 0;
  /** With the part without a reported share. */
  readonly proceeds = { count: 0, minor: 0, unknown: noMoney() };
  familyShared = 0;
  private store: Store = STORES[0];
  readonly nonRenewing = { purchases: noMoney(), refunds: noMoney() };

  constructor(
    private readonly window: OverviewWindow,
    private readonly rate: Rate,
    readonly terms: Terms = NO_TERMS,
  ) {
    this.days = Array.from({ length: window.days }, () => ({
      levels: noLevels(),
      movement: new Movement(),
      trials: noTrials(),
      purchased: { subscriptions: noPurchased(), oneTime: noPurchased() },
      refunds: noMoney(),
    }));
  }

  addChain({ spans, others, shared, willRenew, paidBefore }: Fold, store: Store): void {
    this.store = store;
    for (const span of shared) if (this.isAtEnd(span)) this.familyShared += 1;
    this.addLevels(spans);
    this.addMoves(findMoves(spans, this.valuation, paidBefore));
    this.addTrials(spans, willRenew);
    for (const { sold } of spans) this.addMoney(sold);
    for (const sold of others) this.addMoney(sold);
    const last = spans.findLast((span) => this.isAtEnd(span) && span.kind === 'paid');
    if (last) this.addCurrent(last, willRenew);
  }

  private isAtEnd({ from, to }: { from: number; to: number }): boolean {
    return from < this.window.endMs && to >= this.window.endMs;
  }

  private dayOf(ms: number): DayTally | null {
    const { fromMs, endMs } = this.window;
    return ms >= fromMs && ms < endMs ? at(this.days, Math.floor((ms - fromMs) / DAY_MS)) : null;
  }

  /** Minor units, unrounded; null without a price or rate. */
  private amountOf(
    { currency, purchasedAt }: Sold,
    priceMilliunits: number | null,
    atMs = purchasedAt,
  ): number | null {
    if (priceMilliunits === null || currency === null) return null;
    const rate = this.rate(currency, atMs);
    return rate === null ? null : (priceMilliunits / 1_000) * rate;
  }

  /** The offer's own, the store's report, most periods. */
  private lengthOf({ sold, duration, perMonth, lengthSource }: Span) {
    const { productId } = sold;
    const own = { name: duration, perMonth };
    if (lengthSource === 'offer' || !isReported(this.store)) return own;
    const isMonthly = lengthSource === 'monthly';
    const reported = isMonthly ? null : this.terms.lengthOf(productId);
    return reported ?? this.terms.commonLengthOf(productId, isMonthly) ?? own;
  }

  private readonly paidOf = (span: Span): Paid => {
    const { sold } = span;
    const { name, perMonth } = this.lengthOf(span);
    return {
      productId: sold.productId,
      country: sold.country ?? 'unknown',
      duration: name,
      mrr: onGrid((this.amountOf(sold, recurringPriceOf(sold)) ?? 0) * perMonth),
    };
  };

  /** Without a rate: within one currency only. */
  private readonly valuation: Valuation = {
    paidOf: this.paidOf,
    revalue: (before, after) => {
      const worth = recurringPriceOf(before.sold);
      const amount = this.amountOf(before.sold, worth, after.sold.purchasedAt);
      if (amount !== null) return onGrid(amount * this.lengthOf(before).perMonth);
      const isSame = before.sold.currency === after.sold.currency;
      return this.paidOf(worth !== null && isSame ? after : before).mrr;
    },
  };

  private partOf(parts: Map<string, Part>, name: string): Part {
    const known = parts.get(name);
    if (known) return known;
    if (parts.size >= MAX_PARTS && name !== OTHER) return this.partOf(parts, OTHER);
    const part = { levels: noLevels(), movement: new Movement() };
    parts.set(name, part);
    return part;
  }

  private unconvertedOf(currency: string): { active: number; transactions: number } {
    const known = this.unconverted.get(currency) ?? { active: 0, transactions: 0 };
    this.unconverted.set(currency, known);
    return known;
  }

  private durationOf(name: DurationName): DurationTally {
    const known = this.durations.get(name);
    if (known) return known;
    const duration = { start: 0, returned: 0, churned: noChurn() };
    this.durations.set(name, duration);
    return duration;
  }

  private addLevels(spans: readonly Span[]): void {
    for (const span of spans) {
      const { kind, sold, from, to, ended, graceFrom, retry } = span;
      const level = kind === 'paid' ? 'active' : kind === 'trial' ? 'trials' : 'freeOffers';
      this.addLevel(level, sold, from, to);
      if (graceFrom !== null) this.addLevel('grace', sold, graceFrom, ended);
      if (retry) this.addLevel('billingRetry', sold, retry.from, retry.to);
    }
  }

  private addLevel(level: Level, sold: Sold, from: number, to: number): void {
    if (to <= from) return;
    if (from < this.window.fromMs && to >= this.window.fromMs) this.before[level] += 1;
    const begun = this.dayOf(from);
    if (begun) begun.levels[level] += 1;
    const ended = this.dayOf(to);
    if (ended) ended.levels[level] -= 1;
    if (!this.isAtEnd({ from, to })) return;
    this.total.levels[level] += 1;
    this.partOf(this.stores, this.store).levels[level] += 1;
    this.partOf(this.products, sold.productId).levels[level] += 1;
    this.partOf(this.countries, sold.country ?? 'unknown').levels[level] += 1;
  }

  private addMoves(moves: readonly Move[]): void {
    const { fromMs, endMs } = this.window;
    const start = moves.findLast((move) => move.at < fromMs)?.after;
    if (start) {
      this.total.movement.begin(start);
      this.partOf(this.stores, this.store).movement.begin(start);
      this.durationOf(start.duration).start += 1;
      this.partOf(this.products, start.productId).movement.begin(start);
      this.partOf(this.countries, start.country).movement.begin(start);
    }
    for (const move of moves) if (move.at >= fromMs && move.at < endMs) this.addMove(move);
  }

  private addMove(move: Move): void {
    this.total.movement.add(move);
    this.partOf(this.stores, this.store).movement.add(move);
    this.dayOf(move.at)?.movement.add(move);
    for (const [parts, key] of [
      [this.products, 'productId'],
      [this.countries, 'country'],
    ] as const) {
      const [before, after] = [move.before?.[key], move.after?.[key]];
      for (const name of before === after ? [before] : [before, after]) {
        if (name === undefined) continue;
        this.partOf(parts, name).movement.add(move, (paid) => paid[key] === name);
      }
    }
    if (move.kind === 'returned') this.durationOf(move.left.duration).returned += 1;
    if (move.kind === 'churned') this.durationOf(move.before.duration).churned[move.reason] += 1;
  }

  /** started = converted + pending + abandoned. */
  private addTrials(spans: readonly Span[], willRenew: boolean): void {
    for (const [index, span] of spans.entries()) {
      const previous = spans[index - 1];
      const goesOn = previous?.kind === 'trial' && previous.to === span.from;
      const cohort = span.kind === 'trial' && !goesOn ? this.dayOf(span.from)?.trials : null;
      if (!cohort) continue;
      cohort.started += 1;
      cohort[trialOutcome(spans.slice(index), willRenew, this.window.nowMs)] += 1;
    }
  }

  private addMoney(sold: Sold): void {
    const amount = this.amountOf(sold, sold.priceMilliunits) ?? 0;
    const isPaid = isPayment(sold);
    const { purchasedAt, refundedMilliunits } = sold;
    const givenBackAt = refundedAt(sold);
    const refunded = amount * ((refundedMilliunits ?? 100_000) / 100_000);
    const bought = isPaid ? this.dayOf(purchasedAt) : null;
    const givenBack = isPaid && givenBackAt !== null ? this.dayOf(givenBackAt) : null;
    const { currency } = sold;
    const isUnconverted = currency !== null && this.rate(currency, purchasedAt) === null;
    if (isUnconverted && (bought || givenBack)) this.unconvertedOf(currency).transactions += 1;
    const purchased = bought?.purchased[sold.autoRenewable ? 'subscriptions' : 'oneTime'];
    if (purchased) {
      purchased.paid += 1;
      if (givenBackAt !== null) purchased.refunded += 1;
    }
    if (!sold.autoRenewable) {
      if (bought) addMoney(this.nonRenewing.purchases, amount);
      if (givenBack) addMoney(this.nonRenewing.refunds, refunded);
      return;
    }
    if (givenBack) addMoney(givenBack.refunds, refunded);
  }

  private addCurrent(span: Span, willRenew: boolean): void {
    const { sold } = span;
    const { currency } = sold;
    const worth = recurringPriceOf(sold);
    if (worth === null || currency === null) this.withoutPrice += 1;
    else if (this.amountOf(sold, worth) === null) this.unconvertedOf(currency).active += 1;
    if (!willRenew) this.willNotRenew += 1;
    this.addProceeds(sold, this.paidOf(span).mrr);
  }

  /** MRR × proceeds ÷ customer price. */
  private addProceeds(sold: Sold, mrr: number): void {
    if (mrr === 0) return;
    const share = isReported(this.store) ? this.terms.shareOf(sold) : null;
    if (share === null) addMoney(this.proceeds.unknown, mrr);
    else addMoney(this.proceeds, onGrid(mrr * share));
  }
}

function addMoney(money: Money, minor: number): void {
  money.count += 1;
  money.minor += minor;
}

export const countChurned = (churned: Record<ChurnReason, number>): number =>
  CHURN_REASONS.reduce((sum, reason) => sum + churned[reason], 0);
