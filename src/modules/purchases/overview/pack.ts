import { type Static, Type } from '@sinclair/typebox';
import { at } from '../../../shared/assert.ts';
import { PERIOD_KINDS } from '../ledger/period.ts';
import { CHURN_REASONS, type Sold, type Span } from './chain.ts';
import { toDigits } from './digits.ts';
import type { Fold } from './fold.ts';
import {
  APART,
  AUTO_RENEWABLE,
  DURATION,
  ENDED_EARLY,
  GOES_ON,
  GRACE,
  IS_SPAN,
  KIND,
  OFFERED,
  PackedReader,
  REASON,
  REFUNDED,
  REGULAR,
  RETRY,
  REVOKED,
  SAME_GOODS,
  SOURCE,
  UPGRADED,
  WORD,
} from './packed-reader.ts';
import { DURATION_NAMES, LENGTH_SOURCES, lengthNamed } from './period-length.ts';

/** Increment with any change of a packed fold. */
export const FORMAT = 5;

const Whole = Type.Integer();

export const PackedSchema = Type.Object({
  format: Type.Literal(FORMAT),
  willRenew: Type.Boolean(),
  names: Type.Array(Type.String()),
  shared: Type.Array(Type.Array(Whole, { minItems: 2, maxItems: 2 })),
  /** Digits of sales, one after the other: a head, then the differences from the one before. */
  sold: Type.String(),
});
export type PackedFold = Static<typeof PackedSchema>;

type Goods = Pick<Sold, 'country' | 'currency' | 'priceMilliunits' | 'productId'>;

const isSame = (a: Goods, b: Goods | null): boolean =>
  b !== null &&
  a.productId === b.productId &&
  a.country === b.country &&
  a.currency === b.currency &&
  a.priceMilliunits === b.priceMilliunits;

class Packer {
  readonly names: string[] = [];
  readonly numbers: number[] = [];
  private readonly places = new Map<string, number>();
  private before: Sold | null = null;
  private end = 0;

  addSpan(span: Span): void {
    const { sold, to, ended, graceFrom, retry } = span;
    const from = sold.purchasedAt;
    const head =
      IS_SPAN +
      (ended === to ? 0 : ENDED_EARLY) +
      (graceFrom === null ? 0 : GRACE) +
      (retry ? RETRY : 0) +
      (LENGTH_SOURCES.indexOf(span.lengthSource) << SOURCE) +
      (CHURN_REASONS.indexOf(span.reason) << REASON) +
      (DURATION_NAMES.indexOf(span.duration) << DURATION);
    this.addSold(sold, head);
    this.numbers.push(to - from);
    if (ended !== to) this.numbers.push(ended - from);
    if (graceFrom !== null) this.numbers.push(graceFrom - from);
    if (retry) this.numbers.push(retry.from - from, retry.to - from);
    this.end = to;
  }

  addSold(sold: Sold, head = 0): void {
    const { before, end, numbers } = this;
    const { purchasedAt, revokedAt, refundedMilliunits, offer, regularMilliunits } = sold;
    const isSameGoods = isSame(sold, before);
    numbers.push(
      head +
        (isSameGoods ? SAME_GOODS : 0) +
        (purchasedAt === end ? GOES_ON : 0) +
        (revokedAt === null ? 0 : REVOKED) +
        (refundedMilliunits === null ? 0 : REFUNDED) +
        (sold.upgraded ? UPGRADED : 0) +
        (sold.autoRenewable ? AUTO_RENEWABLE : 0) +
        (offer === null ? 0 : OFFERED) +
        (sold.isApart ? APART : 0) +
        (regularMilliunits === null ? 0 : REGULAR) +
        (PERIOD_KINDS.indexOf(sold.kind) << KIND),
    );
    if (!isSameGoods) this.addGoods(sold);
    if (purchasedAt !== end) numbers.push(purchasedAt - end);
    if (revokedAt !== null) numbers.push(revokedAt - purchasedAt);
    if (refundedMilliunits !== null) numbers.push(refundedMilliunits);
    if (offer !== null) numbers.push(this.placeOf(offer));
    if (regularMilliunits !== null) numbers.push(regularMilliunits);
    this.before = sold;
  }

  private addGoods({ productId, country, currency, priceMilliunits }: Goods): void {
    const names = [productId, country, currency].map((name) => this.placeOf(name));
    this.numbers.push(...names, priceMilliunits === null ? 0 : 1, priceMilliunits ?? 0);
  }

  /** From one; zero is none. */
  private placeOf(name: string | null): number {
    if (name === null) return 0;
    const known = this.places.get(name) ?? this.names.push(name);
    this.places.set(name, known);
    return known;
  }
}

/** A period that was replaced at once comes before its successor. */
function inOrder(spans: readonly Span[], others: readonly Sold[]): (Sold | Span)[] {
  const replaced = others.filter((one) => one.autoRenewable);
  const purchasedAt = (one: Sold | Span) => ('sold' in one ? one.from : one.purchasedAt);
  return [...replaced, ...spans].toSorted((a, b) => purchasedAt(a) - purchasedAt(b));
}

export function packFold({ spans, others, shared, willRenew }: Fold): PackedFold {
  const packer = new Packer();
  for (const one of inOrder(spans, others)) {
    if ('sold' in one) packer.addSpan(one);
    else packer.addSold(one);
  }
  for (const one of others) if (!one.autoRenewable) packer.addSold(one);
  return {
    format: FORMAT,
    willRenew,
    names: packer.names,
    shared: shared.map(({ from, to }) => [from, to]),
    sold: packer.numbers.map(toDigits).join(''),
  };
}

const soldAt = (reader: PackedReader): Sold => ({
  transactionId: '',
  productId: reader.productId,
  country: reader.country,
  currency: reader.currency,
  priceMilliunits: reader.priceMilliunits,
  purchasedAt: reader.purchasedAt,
  revokedAt: reader.revokedAt,
  refundedMilliunits: reader.refundedMilliunits,
  upgraded: reader.upgraded,
  autoRenewable: (reader.head & AUTO_RENEWABLE) !== 0,
  kind: reader.kind,
  offer: reader.offer,
  regularMilliunits: reader.regularMilliunits,
  isApart: reader.isApart,
});

function spanAt(
  { head, to, ended, graceFrom, retryFrom, retryTo }: PackedReader,
  sold: Sold,
): Span {
  const length = lengthNamed(at(DURATION_NAMES, (head >> DURATION) & WORD));
  return {
    kind: sold.kind,
    sold,
    duration: length.name,
    perMonth: length.perMonth,
    lengthSource: at(LENGTH_SOURCES, (head >> SOURCE) & WORD),
    from: sold.purchasedAt,
    to,
    ended,
    graceFrom,
    retry: retryFrom === null ? null : { from: retryFrom, to: retryTo },
    reason: at(CHURN_REASONS, (head >> REASON) & WORD),
  };
}

export function unpackFold(packedFold: PackedFold): Fold {
  const spans: Span[] = [];
  const others: Sold[] = [];
  const reader = new PackedReader();
  reader.open(packedFold);
  while (reader.next()) {
    const sold = soldAt(reader);
    if (reader.isSpan) spans.push(spanAt(reader, sold));
    else others.push(sold);
  }
  return {
    spans,
    others,
    shared: packedFold.shared.map((one) => ({ from: at(one, 0), to: at(one, 1) })),
    willRenew: packedFold.willRenew,
    paidBefore: null,
  };
}
