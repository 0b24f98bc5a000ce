import { type Static, Type } from '@sinclair/typebox';
import { at, must } from '../../../shared/assert.ts';
import { Nullable, parser } from '../../../shared/schema.ts';
import { PERIOD_KINDS } from '../ledger/period.ts';
import { CHURN_REASONS, type Sold, type Span } from './chain.ts';
import type { Fold } from './fold.ts';
import { DURATION_NAMES, LENGTH_SOURCES, type LengthSource, lengthNamed } from './period-length.ts';

/** Increment with any change of a packed fold. */
const FORMAT = 3;

const Whole = Type.Integer();
/**
 * Product, country, currency (indexes into `names`), price, purchase, refund, refunded part, flags,
 * kind, offer; for a period length, end, grace, retry, reason, own end.
 */
const Row = Type.Array(Nullable(Whole), { minItems: 8, maxItems: 17 });

const PackedSchema = Type.Object({
  format: Type.Literal(FORMAT),
  names: Type.Array(Type.String()),
  rows: Type.Array(Row),
  shared: Type.Array(Type.Array(Whole, { minItems: 2, maxItems: 2 })),
  willRenew: Type.Boolean(),
});
export type PackedFold = Static<typeof PackedSchema>;
type Row = PackedFold['rows'][number];

const packed = parser(PackedSchema, 'packed fold');

export function readPacked(value: unknown): PackedFold | null {
  return packed.check(value) ? value : null;
}

const [UPGRADED, AUTO_RENEWABLE, LENGTH_SOURCE] = [1, 2, 4];

function packSold(sold: Sold, source: LengthSource, place: (name: string | null) => number | null) {
  return [
    place(sold.productId),
    place(sold.country),
    place(sold.currency),
    sold.priceMilliunits,
    sold.purchasedAt,
    sold.revokedAt,
    sold.refundedMilliunits,
    (sold.upgraded ? UPGRADED : 0) +
      (sold.autoRenewable ? AUTO_RENEWABLE : 0) +
      LENGTH_SOURCE * LENGTH_SOURCES.indexOf(source),
    PERIOD_KINDS.indexOf(sold.kind),
    place(sold.offer),
  ];
}

export function packFold({ spans, others, shared, willRenew }: Fold): PackedFold {
  const names: string[] = [];
  const places = new Map<string, number>();
  const place = (name: string | null): number | null => {
    if (name === null) return null;
    const known = places.get(name) ?? names.push(name) - 1;
    places.set(name, known);
    return known;
  };
  return {
    format: FORMAT,
    names,
    rows: [
      ...spans.map((span) => [
        ...packSold(span.sold, span.lengthSource, place),
        DURATION_NAMES.indexOf(span.duration),
        span.to,
        span.graceFrom,
        span.retry?.from ?? null,
        span.retry?.to ?? null,
        CHURN_REASONS.indexOf(span.reason),
        span.ended,
      ]),
      ...others.map((sold) => packSold(sold, 'product', place)),
    ],
    shared: shared.map(({ from, to }) => [from, to]),
    willRenew,
  };
}

const SOLD_COLUMNS = 10;

const wholeAt = (row: Row, index: number): number =>
  must(row[index] ?? null, 'a packed row has what every row has');

function unpackSold(row: Row, names: readonly string[]): Sold {
  const name = (index: number): string | null => {
    const place = row[index] ?? null;
    return place === null ? null : at(names, place);
  };
  const flags = wholeAt(row, 7);
  return {
    transactionId: '',
    productId: must(name(0), 'what was bought is a product'),
    country: name(1),
    currency: name(2),
    priceMilliunits: row[3] ?? null,
    purchasedAt: wholeAt(row, 4),
    revokedAt: row[5] ?? null,
    refundedMilliunits: row[6] ?? null,
    upgraded: (flags & UPGRADED) !== 0,
    autoRenewable: (flags & AUTO_RENEWABLE) !== 0,
    kind: at(PERIOD_KINDS, wholeAt(row, 8)),
    offer: name(9),
  };
}

function unpackSpan(row: Row, sold: Sold): Span {
  const length = lengthNamed(at(DURATION_NAMES, wholeAt(row, 10)));
  const [retryFrom, retryTo] = [row[13] ?? null, row[14] ?? null];
  return {
    kind: sold.kind,
    sold,
    duration: length.name,
    perMonth: length.perMonth,
    lengthSource: at(LENGTH_SOURCES, Math.floor(wholeAt(row, 7) / LENGTH_SOURCE)),
    from: sold.purchasedAt,
    to: wholeAt(row, 11),
    ended: wholeAt(row, 16),
    graceFrom: row[12] ?? null,
    retry: retryFrom === null || retryTo === null ? null : { from: retryFrom, to: retryTo },
    reason: at(CHURN_REASONS, wholeAt(row, 15)),
  };
}

export function unpackFold({ names, rows, shared, willRenew }: PackedFold): Fold {
  const spans: Span[] = [];
  const others: Sold[] = [];
  for (const row of rows) {
    const sold = unpackSold(row, names);
    if (row.length > SOLD_COLUMNS) spans.push(unpackSpan(row, sold));
    else others.push(sold);
  }
  return {
    spans,
    others,
    shared: shared.map((one) => ({ from: wholeAt(one, 0), to: wholeAt(one, 1) })),
    willRenew,
    paidBefore: null,
  };
}
