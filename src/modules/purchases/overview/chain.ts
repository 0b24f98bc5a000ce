import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../../shared/schema.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { type DurationName, type LengthSource, lengthOfPeriod } from './period-length.ts';

const Text = Nullable(Type.String());
const Millis = Type.Number();

/** A transaction as the overview reads it. Times are milliseconds since the epoch. */
export const ChainTransaction = Type.Object({
  transactionId: Type.String(),
  productId: Type.String(),
  /** The storefront, ISO 3166-1 alpha-3. */
  country: Text,
  purchasedAt: Millis,
  expiresAt: Nullable(Millis),
  /** The earliest end that was signed of it, before any extension; null of an earlier release. */
  firstExpiresAt: Nullable(Millis),
  revokedAt: Nullable(Millis),
  upgraded: Type.Boolean(),
  autoRenewable: Type.Boolean(),
  familyShared: Type.Boolean(),
  isTrial: Type.Boolean(),
  discountType: Text,
  offerPeriod: Text,
  /** Billed by month under a commitment to a longer term. */
  billedMonthly: Type.Boolean(),
  priceMilliunits: Nullable(Type.Number()),
  currency: Text,
  /** Of 100,000; null for the whole price. */
  refundedMilliunits: Nullable(Type.Number()),
});
export type ChainTransaction = Static<typeof ChainTransaction>;

/** What the store signed about the renewal of a chain. */
export const RenewalNote = Type.Object({
  signedAt: Millis,
  willRenew: Type.Boolean(),
  retrying: Type.Boolean(),
  intent: Nullable(Type.Number()),
  graceExpiresAt: Nullable(Millis),
});
export type RenewalNote = Static<typeof RenewalNote>;

export const ChainHistory = Type.Object({
  transactions: Type.Array(ChainTransaction),
  renewals: Type.Array(RenewalNote),
});
export type ChainHistory = Static<typeof ChainHistory>;

export const CHURN_REASONS = ['voluntary', 'billing', 'refund', 'other'] as const;
export type ChurnReason = (typeof CHURN_REASONS)[number];

export const SPAN_KINDS = ['paid', 'trial', 'free'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** What is counted of a transaction. */
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
> & { kind: SpanKind };

/** One period of a chain, from its purchase to where it ended: `[from, to)`. */
export type Span = {
  kind: SpanKind;
  sold: Sold;
  duration: DurationName;
  perMonth: number;
  lengthSource: LengthSource;
  from: number;
  /** Where it ended, or the next paid period began within a day of that: no end. */
  to: number;
  /** Where it ended by itself. */
  ended: number;
  /** Where the store's grace period begins, when there was one. */
  graceFrom: number | null;
  /** The store retries payment in `[from, to)` after the period. */
  retry: { from: number; to: number } | null;
  /** Why it ended, where no other followed. */
  reason: ChurnReason;
};

/** Apple retries a failed renewal for sixty days; a grace period is far shorter. */
const RETRY_MS = 60 * DAY_MS;
/** Of a month under a commitment. */
const COMMITTED_RETRY_MS = 90 * DAY_MS;
/** A gap of less is neither an end nor a return. */
const GAP_MS = DAY_MS;

/** Trials and free offers are not paid; a purchase whose price is not known counts as paid. */
function kindOf(transaction: ChainTransaction): SpanKind {
  if (transaction.isTrial) return 'trial';
  return transaction.priceMilliunits === 0 ? 'free' : 'paid';
}

export function soldOf(transaction: ChainTransaction): Sold {
  const { transactionId, productId, country, currency, priceMilliunits } = transaction;
  const { purchasedAt, revokedAt, refundedMilliunits, upgraded, autoRenewable } = transaction;
  return {
    ...{ transactionId, productId, country, currency, priceMilliunits, purchasedAt },
    ...{ revokedAt, refundedMilliunits, upgraded, autoRenewable, kind: kindOf(transaction) },
  };
}

type Period = ChainTransaction & { expiresAt: number };

/** Auto-renewable periods, oldest first. */
function periodsOf(transactions: readonly ChainTransaction[]): Period[] {
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

/** What was signed about a period: after it was bought and before the next one was. */
function notesAbout(period: Period, next: Period | undefined, notes: readonly RenewalNote[]) {
  const until = next?.purchasedAt ?? Number.POSITIVE_INFINITY;
  return notes.filter(({ signedAt }) => signedAt >= period.purchasedAt && signedAt <= until);
}

function graceEnd(period: Period, notes: readonly RenewalNote[]): number | null {
  const ends = notes
    .flatMap(({ graceExpiresAt }) => graceExpiresAt ?? [])
    .filter((end) => end > period.expiresAt && end <= period.expiresAt + RETRY_MS);
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
    period.expiresAt + (period.billedMonthly ? COMMITTED_RETRY_MS : RETRY_MS),
  );
  return to > from ? { from, to } : null;
}

/**
 * `expirationIntent` where the store said it, else what it had said last by the end and first after
 * it: what is said later, of a recovery, does not change why it ended.
 */
function reasonOf(period: Period, to: number, notes: readonly RenewalNote[]): ChurnReason {
  if (period.revokedAt !== null && period.revokedAt <= to) return 'refund';
  const intent = notes.findLast((note) => note.intent !== null)?.intent ?? null;
  if (intent !== null) return intent === 1 ? 'voluntary' : intent === 2 ? 'billing' : 'other';
  const before = notes.findLast(({ signedAt }) => signedAt <= to);
  const after = notes.find(({ signedAt }) => signedAt > to);
  const isFailing = ({ retrying, graceExpiresAt }: RenewalNote) =>
    retrying || (graceExpiresAt !== null && graceExpiresAt > period.expiresAt);
  if ((before && isFailing(before)) || (after && isFailing(after))) return 'billing';
  const said = after ?? before;
  return said && !said.willRenew ? 'voluntary' : 'other';
}

/** A paid period that begins within a day of the end of a paid one goes on with it. */
function bridged(spans: readonly Span[]): Span[] {
  return spans.map((span, index) => {
    const next = spans[index + 1];
    const gap = next ? next.from - span.to : 0;
    const goesOn = span.kind === 'paid' && next?.kind === 'paid' && gap > 0 && gap < GAP_MS;
    return goesOn ? { ...span, to: next.from, retry: null } : span;
  });
}

/**
 * The periods of a chain one after the other: each ends with its grace period, its refund, or the
 * next purchase, whichever comes first.
 */
export function spansOf({ transactions, renewals }: ChainHistory): Span[] {
  const periods = periodsOf(transactions);
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
    const sold = soldOf(period);
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
        reason: reasonOf(period, to, about),
      },
    ];
  });
  return bridged(spans);
}
