import { DAY_MS } from '../../../shared/time.ts';
import { type PeriodKind, periodKind } from '../ledger/period.ts';
import { billingRetryMs } from '../model/billing-retry.ts';
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
> & { kind: PeriodKind };

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
  return {
    ...{ transactionId, productId, country, currency, priceMilliunits, purchasedAt },
    ...{
      revokedAt,
      refundedMilliunits,
      upgraded,
      autoRenewable,
      offer,
      kind: periodKind(transaction),
    },
  };
}

/** The proration of an upgrade is no refund. */
export const refundedAt = ({ upgraded, revokedAt }: Pick<Sold, 'revokedAt' | 'upgraded'>) =>
  upgraded ? null : revokedAt;

type Period = ChainTransaction & { expiresAt: number };

function toPeriods(transactions: readonly ChainTransaction[]): Period[] {
  return transactions
    .flatMap((one) => (one.expiresAt === null ? [] : [{ ...one, expiresAt: one.expiresAt }]))
    .filter((one) => one.autoRenewable)
    .toSorted(
      (a, b) =>
        a.purchasedAt - b.purchasedAt ||
        a.expiresAt - b.expiresAt ||
        (a.transactionId < b.transactionId ? -1 : 1),
    );
}

function notesAbout(period: Period, next: Period | undefined, notes: readonly RenewalNote[]) {
  const until = next?.purchasedAt ?? Number.POSITIVE_INFINITY;
  return notes.filter(({ signedAt }) => signedAt >= period.purchasedAt && signedAt <= until);
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
    next?.purchasedAt ?? Number.POSITIVE_INFINITY,
    ended?.signedAt ?? Number.POSITIVE_INFINITY,
    period.revokedAt ?? Number.POSITIVE_INFINITY,
    period.expiresAt + billingRetryMs(period.billedMonthly),
  );
  return to > from ? { from, to } : null;
}

/** Else by the renewal info around the end. */
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

/** Grace, refund or the next purchase, whichever is first. */
export function toSpans({ transactions, renewals }: ChainHistory): Span[] {
  const periods = toPeriods(transactions);
  const notes = renewals.toSorted((a, b) => a.signedAt - b.signedAt);
  const spans = periods.flatMap((period, index): Span[] => {
    const next = periods[index + 1];
    const about = notesAbout(period, next, notes);
    const graceUntil = graceEnd(period, about);
    const to = Math.min(
      graceUntil ?? period.expiresAt,
      period.revokedAt ?? Number.POSITIVE_INFINITY,
      next?.purchasedAt ?? Number.POSITIVE_INFINITY,
    );
    if (to <= period.purchasedAt) return [];
    const sold = toSold(period);
    const { name, perMonth, source } = lengthOfPeriod(period);
    return [
      {
        kind: sold.kind,
        sold,
        duration: name,
        perMonth,
        lengthSource: source,
        from: period.purchasedAt,
        to,
        ended: to,
        graceFrom: graceUntil === null ? null : period.expiresAt,
        retry: retryAfter(period, next, about, graceUntil),
        reason: churnReason(period, to, about),
      },
    ];
  });
  return bridged(spans);
}
