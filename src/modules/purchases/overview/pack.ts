import { type Static, Type } from '@sinclair/typebox';
import { at, must, outside } from '../../../shared/assert.ts';
import { parser } from '../../../shared/schema.ts';
import { PERIOD_KINDS } from '../ledger/period.ts';
import { CHURN_REASONS, type Sold, type Span } from './chain.ts';
import type { Fold } from './fold.ts';
import { DURATION_NAMES, LENGTH_SOURCES, lengthNamed } from './period-length.ts';

/** Increment with any change of a packed fold. */
const FORMAT = 4;

const Whole = Type.Integer();

const PackedSchema = Type.Object({
  format: Type.Literal(FORMAT),
  names: Type.Array(Type.String()),
  /** What was sold, one after the other: a head, then what differs from the one before. */
  sold: Type.Array(Whole),
  shared: Type.Array(Type.Array(Whole, { minItems: 2, maxItems: 2 })),
  willRenew: Type.Boolean(),
});
export type PackedFold = Static<typeof PackedSchema>;

const packed = parser(PackedSchema, 'packed fold');

export function readPacked(value: unknown): PackedFold | null {
  return packed.check(value) ? value : null;
}

/** Bits of a head. */
const IS_SPAN = 1;
/** Product, country, currency and price of the one before. */
const SAME_GOODS = 2;
/** Bought as the span before ends. */
const GOES_ON = 4;
const REVOKED = 8;
const REFUNDED = 16;
const UPGRADED = 32;
const AUTO_RENEWABLE = 64;
const OFFERED = 128;
const ENDED_EARLY = 256;
const GRACE = 512;
const RETRY = 1_024;

/** Words in a head: their first bit, four bits each. */
const KIND = 11;
const SOURCE = 15;
const REASON = 19;
const DURATION = 23;
const WORD = 15;

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
    const { purchasedAt, revokedAt, refundedMilliunits, offer } = sold;
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
        (PERIOD_KINDS.indexOf(sold.kind) << KIND),
    );
    if (!isSameGoods) this.addGoods(sold);
    if (purchasedAt !== end) numbers.push(purchasedAt - end);
    if (revokedAt !== null) numbers.push(revokedAt - purchasedAt);
    if (refundedMilliunits !== null) numbers.push(refundedMilliunits);
    if (offer !== null) numbers.push(this.placeOf(offer));
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

export function packFold({ spans, others, shared, willRenew }: Fold): PackedFold {
  const packer = new Packer();
  for (const span of spans) packer.addSpan(span);
  for (const sold of others) packer.addSold(sold);
  return {
    format: FORMAT,
    names: packer.names,
    sold: packer.numbers,
    shared: shared.map(({ from, to }) => [from, to]),
    willRenew,
  };
}

class Unpacker {
  readonly spans: Span[] = [];
  readonly others: Sold[] = [];
  private place = 0;
  private end = 0;
  private goods: Goods | null = null;

  constructor(
    private readonly names: readonly string[],
    private readonly numbers: readonly number[],
  ) {}

  readAll(): void {
    while (this.place < this.numbers.length) {
      const head = this.next();
      const sold = this.readSold(head);
      if ((head & IS_SPAN) === 0) this.others.push(sold);
      else this.spans.push(this.readSpan(head, sold));
    }
  }

  private next(): number {
    const value = this.numbers[this.place] ?? outside();
    this.place += 1;
    return value;
  }

  private nextName(): string | null {
    const place = this.next();
    return place === 0 ? null : at(this.names, place - 1);
  }

  private readGoods(): Goods {
    const productId = must(this.nextName(), 'what was bought is a product');
    const country = this.nextName();
    const currency = this.nextName();
    const isPriced = this.next() === 1;
    const price = this.next();
    return { productId, country, currency, priceMilliunits: isPriced ? price : null };
  }

  private readSold(head: number): Sold {
    if ((head & SAME_GOODS) === 0) this.goods = this.readGoods();
    const goods = must(this.goods, 'the first has goods of its own');
    const purchasedAt = this.end + ((head & GOES_ON) === 0 ? this.next() : 0);
    return {
      transactionId: '',
      productId: goods.productId,
      country: goods.country,
      currency: goods.currency,
      priceMilliunits: goods.priceMilliunits,
      purchasedAt,
      revokedAt: (head & REVOKED) === 0 ? null : purchasedAt + this.next(),
      refundedMilliunits: (head & REFUNDED) === 0 ? null : this.next(),
      upgraded: (head & UPGRADED) !== 0,
      autoRenewable: (head & AUTO_RENEWABLE) !== 0,
      kind: at(PERIOD_KINDS, (head >> KIND) & WORD),
      offer: (head & OFFERED) === 0 ? null : this.nextName(),
    };
  }

  private readSpan(head: number, sold: Sold): Span {
    const from = sold.purchasedAt;
    const length = lengthNamed(at(DURATION_NAMES, (head >> DURATION) & WORD));
    const to = from + this.next();
    this.end = to;
    return {
      kind: sold.kind,
      sold,
      duration: length.name,
      perMonth: length.perMonth,
      lengthSource: at(LENGTH_SOURCES, (head >> SOURCE) & WORD),
      from,
      to,
      ended: (head & ENDED_EARLY) === 0 ? to : from + this.next(),
      graceFrom: (head & GRACE) === 0 ? null : from + this.next(),
      retry: (head & RETRY) === 0 ? null : { from: from + this.next(), to: from + this.next() },
      reason: at(CHURN_REASONS, (head >> REASON) & WORD),
    };
  }
}

export function unpackFold({ names, sold, shared, willRenew }: PackedFold): Fold {
  const unpacker = new Unpacker(names, sold);
  unpacker.readAll();
  return {
    spans: unpacker.spans,
    others: unpacker.others,
    shared: shared.map((one) => ({ from: at(one, 0), to: at(one, 1) })),
    willRenew,
    paidBefore: null,
  };
}
