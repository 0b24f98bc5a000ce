import { type Static, Type } from '@sinclair/typebox';
import { at } from '../../../shared/assert.ts';
import { Nullable, parser } from '../../../shared/schema.ts';
import { CHURN_REASONS, type Sold, SPAN_KINDS, type Span } from './chain.ts';
import type { Fold } from './fold.ts';
import { DURATION_NAMES, lengthNamed } from './period-length.ts';

/** Goes up with the meaning of a packed fold. */
const FORMAT = 1;

const Whole = Type.Integer();
/**
 * One thing bought: product, country and currency by their place among `names`, price, purchase,
 * refund, refunded part, and flags; then of its period: kind, length, end, grace, retry, reason.
 */
const Row = Type.Array(Nullable(Whole), { minItems: 8, maxItems: 15 });

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

/** The packed fold, or null for one of another format. */
export function readPacked(value: unknown): PackedFold | null {
  return packed.check(value) ? value : null;
}

const [UPGRADED, AUTO_RENEWABLE, OWN_LENGTH] = [1, 2, 4];

/** Without its id, which no figure needs. */
function packSold(sold: Sold, isOwnLength: boolean, place: (name: string | null) => number | null) {
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
      (isOwnLength ? OWN_LENGTH : 0),
    SPAN_KINDS.indexOf(sold.kind),
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
        ...packSold(span.sold, span.isOwnLength, place),
        DURATION_NAMES.indexOf(span.duration),
        span.to,
        span.graceFrom,
        span.retry?.from ?? null,
        span.retry?.to ?? null,
        CHURN_REASONS.indexOf(span.reason),
      ]),
      ...others.map((sold) => packSold(sold, false, place)),
    ],
    shared: shared.map(({ from, to }) => [from, to]),
    willRenew,
  };
}

const SOLD_COLUMNS = 9;

function unpackSold(row: Row, names: readonly string[]): Sold {
  const name = (index: number): string | null => {
    const place = row[index] ?? null;
    return place === null ? null : at(names, place);
  };
  const flags = row[7] ?? 0;
  return {
    transactionId: '',
    productId: name(0) ?? '',
    country: name(1),
    currency: name(2),
    priceMilliunits: row[3] ?? null,
    purchasedAt: row[4] ?? 0,
    revokedAt: row[5] ?? null,
    refundedMilliunits: row[6] ?? null,
    upgraded: (flags & UPGRADED) !== 0,
    autoRenewable: (flags & AUTO_RENEWABLE) !== 0,
    kind: at(SPAN_KINDS, row[8] ?? 0),
  };
}

function unpackSpan(row: Row, sold: Sold): Span {
  const length = lengthNamed(at(DURATION_NAMES, row[9] ?? 0));
  const [retryFrom, retryTo] = [row[12] ?? null, row[13] ?? null];
  return {
    kind: sold.kind,
    sold,
    duration: length.name,
    perMonth: length.perMonth,
    isOwnLength: ((row[7] ?? 0) & OWN_LENGTH) !== 0,
    from: sold.purchasedAt,
    to: row[10] ?? 0,
    graceFrom: row[11] ?? null,
    retry: retryFrom === null || retryTo === null ? null : { from: retryFrom, to: retryTo },
    reason: at(CHURN_REASONS, row[14] ?? 0),
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
    shared: shared.map(([from = 0, to = 0]) => ({ from, to })),
    willRenew,
    wasPaid: false,
  };
}
