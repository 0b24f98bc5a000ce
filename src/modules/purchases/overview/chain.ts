import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { type PeriodKind, periodKind } from '../ledger/period.ts';
import { billingRetryMs } from '../model/status.ts';
import type { ChainHistory, ChainTransaction, RenewalNote } from './history.ts';
import { type DurationName, type LengthSource, lengthOfPeriod } from './period-length.ts';

export const CHURN_REASONS = ['voluntary', 'billing', 'refund', 'other'] as const;
export type ChurnReason = (typeof CHURN_REASONS)[number];

export type Sold = Pick<
  ChainTransaction,
  | 'transactionId'
  | 'productId'
  | 'country'
  | 'currency'
  | 'priceMilliunits'
  | 'purchasedAt'
  | 'revokedAt'
  | 'refundedMilliunits'
  | 'upgraded'
  | 'autoRenewable'
  | 'offer'
> & {
  kind: PeriodKind;
  /** Price of a whole period that credit pays in part. */
  regularMilliunits: number | null;
  isApart: boolean;
};

export type Span = {
  kind: PeriodKind;
  sold: Sold;
  duration: DurationName;
  perMonth: number;
  lengthSource: LengthSource;
  from: number;
  /** Or the start of a paid period within a day of it. */
  to: number;
  /** End without the bridge to a next period. */
  ended: number;
  graceFrom: number | null;
  /** Billing retry after the period, `[from, to)`. */
  retry: { from: number; to: number } | null;
  reason: ChurnReason;
};

/** Shorter gaps are neither churn nor return. */
const GAP_MS = DAY_MS;

export function toSold(transaction: ChainTransaction): Sold {
  const { transactionId, productId, country, currency, priceMilliunits } = transaction;
  const { purchasedAt, revokedAt, refundedMilliunits, upgraded, autoRenewable, offer } =
    transaction;
  const { refundedAt: givenBackAt = null, regularMilliunits = null } = transaction;
  return {
    ...{ transactionId, productId, country, currency, priceMilliunits, purchasedAt },
    ...{ refundedMilliunits, autoRenewable, offer, regularMilliunits },
    revokedAt: givenBackAt ?? revokedAt,
    upgraded: upgraded && givenBackAt === null,
    kind: periodKind({ ...transaction, regularMilliunits }),
    isApart: false,
  };
}

type Worth = Pick<Sold, 'priceMilliunits' | 'regularMilliunits'>;

export const recurringPriceOf = ({ regularMilliunits, priceMilliunits }: Worth): number | null =>
  regularMilliunits ?? priceMilliunits;

export const isPayment = ({
  kind,
  priceMilliunits,
  isApart,
}: Pick<Sold, 'isApart' | 'kind' | 'priceMilliunits'>): boolean =>
  kind === 'paid' && priceMilliunits !== 0 && !isApart;

const apart = (sold: Sold, purchasedAt: number): Sold => ({
  ...{ ...sold, purchasedAt },
  ...{ transactionId: '', isApart: true },
});

export const refundedAt = ({ upgraded, revokedAt }: Pick<Sold, 'revokedAt' | 'upgraded'>) =>
  upgraded ? null : revokedAt;

type Period = ChainTransaction & { expiresAt: number; from: number };

function toPeriods(transactions: readonly ChainTransaction[]): Period[] {
  return transactions
    .flatMap(({ expiresAt, ...one }) =>
      expiresAt === null ? [] : [{ ...one, expiresAt, from: one.startsAt ?? one.purchasedAt }],
    )
    .filter((one) => one.autoRenewable)
    .toSorted(
      (a, b) =>
        a.from - b.from ||
        a.expiresAt - b.expiresAt ||
        (a.transactionId < b.transactionId ? -1 : 1),
    );
}

function notesAbout(period: Period, next: Period | undefined, notes: readonly RenewalNote[]) {
  const until = next?.purchasedAt ?? Number.POSITIVE_INFINITY;
  return notes.filter(({ signedAt }) => signedAt >= period.from && signedAt <= until);
}

function graceEnd(period: Period, notes: readonly RenewalNote[]): number | null {
  const ends = notes
    .flatMap(({ graceExpiresAt }) => graceExpiresAt ?? [])
    .filter((end) => end > period.expiresAt && end <= period.expiresAt + billingRetryMs(false));
  return ends.at(-1) ?? null;
}

function retryAfter(
  period: Period,
  next: Period | undefined,
  notes: readonly RenewalNote[],
  graceUntil: number | null,
): Span['retry'] {
  const began = notes.find((note) => note.retrying);
  if (!began) return null;
  const ended = notes.find((note) => note.signedAt > began.signedAt && !note.retrying);
  const from = graceUntil ?? period.expiresAt;
  const to = Math.min(
    next?.from ?? Number.POSITIVE_INFINITY,
    ended?.signedAt ?? Number.POSITIVE_INFINITY,
    period.revokedAt ?? Number.POSITIVE_INFINITY,
    period.expiresAt + billingRetryMs(period.billedMonthly),
  );
  return to > from ? { from, to } : null;
}

/** Falls back to the renewal info around the end. */
function churnReason(period: Period, to: number, notes: readonly RenewalNote[]): ChurnReason {
  if (period.revokedAt !== null && period.revokedAt <= to) return 'refund';
  const signed = notes.findLast((note) => note.expiryReason !== null)?.expiryReason ?? null;
  if (signed === 'canceled') return 'voluntary';
  if (signed !== null) return signed === 'billing' ? 'billing' : 'other';
  const before = notes.findLast(({ signedAt }) => signedAt <= to);
  const after = notes.find(({ signedAt }) => signedAt > to);
  const isFailing = ({ retrying, graceExpiresAt }: RenewalNote) =>
    retrying || (graceExpiresAt !== null && graceExpiresAt > period.expiresAt);
  if ((before && isFailing(before)) || (after && isFailing(after))) return 'billing';
  const said = after ?? before;
  return said && !said.willRenew ? 'voluntary' : 'other';
}

/** Joins paid periods at most a day apart. */
function bridged(spans: readonly Span[]): Span[] {
  return spans.map((span, index) => {
    const next = spans[index + 1];
    const gap = next ? next.from - span.to : 0;
    const goesOn = span.kind === 'paid' && next?.kind === 'paid' && gap > 0 && gap < GAP_MS;
    return goesOn ? { ...span, to: next.from, retry: null } : span;
  });
}

function endOfAddOn({ expiresAt, revokedAt }: Period, plan: Span): number {
  const isShort = expiresAt < (plan.graceFrom ?? plan.ended) - HOUR_MS;
  return Math.min(
    isShort ? expiresAt : Number.POSITIVE_INFINITY,
    revokedAt ?? Number.POSITIVE_INFINITY,
  );
}

function withAddOns(span: Span, addOns: readonly Period[]): Span[] {
  const beside = addOns
    .filter(({ from, expiresAt }) => from < span.to && expiresAt > span.from)
    .map((addOn) => ({ ...addOn, to: endOfAddOn(addOn, span) }));
  if (beside.length === 0 || span.kind !== 'paid') return [span];
  const times = beside.flatMap(({ from, to }) => [from, to]);
  const inside = times.filter((time) => time > span.from && time < span.to);
  const starts = [span.from, ...new Set(inside.toSorted((a, b) => a - b))];
  return starts.map((from, index) => {
    const running = beside.filter((one) => one.from <= from && from < one.to);
    const worth = running.reduce((sum, one) => sum + (recurringPriceOf(toSold(one)) ?? 0), 0);
    const regular =
      worth === 0 ? recurringPriceOf(span.sold) : (recurringPriceOf(span.sold) ?? 0) + worth;
    const own = { ...span.sold, regularMilliunits: regular };
    const sold = index > 0 ? apart(own, from) : worth === 0 ? span.sold : own;
    const next = starts[index + 1];
    const part = { ...span, sold, from };
    return next === undefined
      ? part
      : { ...part, to: next, ended: next, graceFrom: null, retry: null };
  });
}

export function toSpans({ transactions, renewals }: ChainHistory): Span[] {
  const all = toPeriods(transactions);
  const periods = all.filter((one) => !one.isAddOn);
  const addOns = all.filter((one) => one.isAddOn);
  const notes = renewals.toSorted((a, b) => a.signedAt - b.signedAt);
  const spans = periods.flatMap((period, index): Span[] => {
    const next = periods[index + 1];
    const about = notesAbout(period, next, notes);
    const graceUntil = graceEnd(period, about);
    const { from } = period;
    const to = Math.min(
      graceUntil ?? period.expiresAt,
      period.revokedAt ?? Number.POSITIVE_INFINITY,
      next?.from ?? Number.POSITIVE_INFINITY,
    );
    if (to <= from) return [];
    const sold = toSold(period);
    const { name, perMonth, source } = lengthOfPeriod(period);
    const span: Span = {
      kind: sold.kind,
      sold: from === period.purchasedAt ? sold : apart(sold, from),
      duration: name,
      perMonth,
      lengthSource: source,
      from,
      to,
      ended: to,
      graceFrom: graceUntil === null ? null : period.expiresAt,
      retry: retryAfter(period, next, about, graceUntil),
      reason: churnReason(period, to, about),
    };
    return withAddOns(span, addOns);
  });
  return bridged(spans);
}
