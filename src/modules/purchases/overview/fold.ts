import { at } from '../../../shared/assert.ts';
import { type Sold, type Span, toSold, toSpans } from './chain.ts';
import type { ChainHistory, RenewalNote } from './history.ts';
import type { LengthCount } from './period-length.ts';

export type Fold = {
  /** Own periods in order, without family sharing. */
  spans: readonly Span[];
  /** One-time purchases and periods replaced at once. */
  others: readonly Sold[];
  /** Family-shared periods. */
  shared: readonly { from: number; to: number }[];
  /** Latest signed state; true by default. */
  willRenew: boolean;
  paidBefore: Span | null;
};

function willRenew(renewals: readonly RenewalNote[]): boolean {
  const newest = renewals.reduce<RenewalNote | null>(
    (last, note) => (last && last.signedAt > note.signedAt ? last : note),
    null,
  );
  return newest?.willRenew ?? true;
}

export function foldChain({ transactions, renewals }: ChainHistory): Fold {
  const own = transactions.filter((one) => !one.familyShared);
  const shared = transactions.filter((one) => one.familyShared);
  const spans = toSpans({ transactions: own, renewals });
  const lived = new Set(spans.map(({ sold }) => sold.transactionId));
  return {
    spans,
    others: own.filter((one) => !lived.has(one.transactionId)).map(toSold),
    shared: toSpans({ transactions: shared, renewals }).map(({ from, to }) => ({ from, to })),
    willRenew: willRenew(renewals),
    paidBefore: null,
  };
}

const soldUntil = ({ purchasedAt, revokedAt }: Sold): number =>
  Math.max(purchasedAt, revokedAt ?? purchasedAt);

const spanUntil = ({ sold, to, retry }: Span): number =>
  Math.max(soldUntil(sold), to, retry?.to ?? to);

export function foldRange({ spans, others, shared }: Fold) {
  const begins = [
    ...[...spans, ...shared].map(({ from }) => from),
    ...others.map((one) => one.purchasedAt),
  ];
  const ends = [...spans.map(spanUntil), ...others.map(soldUntil), ...shared.map(({ to }) => to)];
  return {
    beginsMs: begins.length === 0 ? null : Math.min(...begins),
    untilMs: Math.max(0, ...ends),
  };
}

/** Except refunded later. Spans are in order. */
export function since({ spans, others, shared, ...fold }: Fold, fromMs: number): Fold {
  let kept = 0;
  while (kept < spans.length && spanUntil(at(spans, kept)) < fromMs) kept += 1;
  return {
    ...fold,
    spans: spans.slice(kept),
    others: others.filter((one) => soldUntil(one) >= fromMs),
    shared: shared.filter(({ to }) => to >= fromMs),
    paidBefore: spans.slice(0, kept).findLast(({ kind }) => kind === 'paid') ?? fold.paidBefore,
  };
}

export function countLengths({ spans }: Fold): LengthCount[] {
  const counts = new Map<string, LengthCount>();
  for (const { kind, lengthSource, duration, sold } of spans) {
    if (kind !== 'paid' || lengthSource === 'offer') continue;
    const billedMonthly = lengthSource === 'monthly';
    const key = `${billedMonthly} ${duration} ${sold.productId}`;
    const known = counts.get(key);
    if (known) known.periods += 1;
    else counts.set(key, { productId: sold.productId, billedMonthly, duration, periods: 1 });
  }
  return [...counts.values()];
}
