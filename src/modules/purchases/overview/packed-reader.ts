import { at, must } from '../../../shared/assert.ts';
import { isPayment, refundedAt } from './chain.ts';
import { DigitReader } from './digits.ts';
import { PERIOD_KINDS, type PeriodKind } from '../ledger/period.ts';

/** Bits of a head. */
export const IS_SPAN = 1;
export const SAME_GOODS = 2;
/** Bought as the span before ends. */
export const GOES_ON = 4;
export const REVOKED = 8;
export const REFUNDED = 16;
export const UPGRADED = 32;
export const AUTO_RENEWABLE = 64;
export const OFFERED = 128;
export const ENDED_EARLY = 256;
export const GRACE = 512;
export const RETRY = 1_024;

/** Words in a head: their first bit, four bits each. */
export const KIND = 11;
export const SOURCE = 15;
export const REASON = 19;
export const DURATION = 23;
export const WORD = 15;

export const REGULAR = 134_217_728;
export const APART = 268_435_456;

/** Sales one after the other, read in place: an object for each would cost more than the count. */
export class PackedReader {
  head = 0;
  kind: PeriodKind = 'paid';
  productId = '';
  country: string | null = null;
  currency: string | null = null;
  priceMilliunits: number | null = null;
  purchasedAt = 0;
  revokedAt: number | null = null;
  refundedMilliunits: number | null = null;
  offer: string | null = null;
  regularMilliunits: number | null = null;
  /** End of the span; of the one before where this is none. */
  to = 0;
  ended = 0;
  graceFrom: number | null = null;
  retryFrom: number | null = null;
  retryTo = 0;
  private readonly numbers = new DigitReader();
  private names: readonly string[] = [];

  open({ names, sold }: { names: readonly string[]; sold: string }): void {
    this.names = names;
    this.numbers.open(sold);
    this.to = 0;
  }

  /** False after the last. */
  next(): boolean {
    if (this.numbers.isAtEnd) return false;
    const head = this.take();
    this.head = head;
    if ((head & SAME_GOODS) === 0) this.readGoods();
    const from = (head & GOES_ON) === 0 ? this.to + this.take() : this.to;
    this.purchasedAt = from;
    this.kind = at(PERIOD_KINDS, (head >> KIND) & WORD);
    this.revokedAt = (head & REVOKED) === 0 ? null : from + this.take();
    this.refundedMilliunits = (head & REFUNDED) === 0 ? null : this.take();
    this.offer = (head & OFFERED) === 0 ? null : this.takeName();
    this.regularMilliunits = (head & REGULAR) === 0 ? null : this.take();
    if ((head & IS_SPAN) !== 0) this.readSpan(head, from);
    return true;
  }

  get isApart(): boolean {
    return (this.head & APART) !== 0;
  }

  get isPayment(): boolean {
    return isPayment(this);
  }

  get isSpan(): boolean {
    return (this.head & IS_SPAN) !== 0;
  }

  get upgraded(): boolean {
    return (this.head & UPGRADED) !== 0;
  }

  get refundedAt(): number | null {
    return refundedAt(this);
  }

  private take(): number {
    return this.numbers.take();
  }

  private takeName(): string | null {
    const place = this.take();
    return place === 0 ? null : at(this.names, place - 1);
  }

  private readGoods(): void {
    this.productId = must(this.takeName(), 'what was bought is a product');
    this.country = this.takeName();
    this.currency = this.takeName();
    const isPriced = this.take() === 1;
    const price = this.take();
    this.priceMilliunits = isPriced ? price : null;
  }

  private readSpan(head: number, from: number): void {
    this.to = from + this.take();
    this.ended = (head & ENDED_EARLY) === 0 ? this.to : from + this.take();
    this.graceFrom = (head & GRACE) === 0 ? null : from + this.take();
    this.retryFrom = (head & RETRY) === 0 ? null : from + this.take();
    if (this.retryFrom !== null) this.retryTo = from + this.take();
  }
}
