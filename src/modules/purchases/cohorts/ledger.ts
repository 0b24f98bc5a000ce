import { at } from '../../../shared/assert.ts';
import type { PackedFold } from '../overview/pack.ts';
import { PackedReader } from '../overview/packed-reader.ts';
import type { Amounts } from '../revenue/amounts.ts';
import { intervalOf } from '../revenue/window.ts';
import { Chains } from './chains.ts';
import type { CohortWindow } from './window.ts';

/** The offering where a device named it. */
export type Begin = { atMs: number; product: string; offering: string | null };
export type Begins = { transaction: Begin | null; trial: Begin | null; payment: Begin | null };

/** Of one person, oldest last: links to the entry before. */
export type Person = Begins & { name: string; lastEntry: number };

const earlier = (known: Begin | null, sold: PackedReader, offering: string | null): Begin => {
  const { purchasedAt: atMs, productId: product } = sold;
  if (known && (known.atMs < atMs || (known.atMs === atMs && known.product <= product))) {
    return known;
  }
  return { atMs, product, offering };
};

/** Payments and refunds as entries of their people, in columns: there may be a million. */
export class Ledger {
  readonly people: Person[] = [];
  readonly chains: Chains;
  readonly nobody = { purchases: 0, net: 0 };
  readonly unconverted = new Map<string, number>();
  purchases = 0;
  net = 0;
  withoutPrice = 0;
  readonly intervals: number[] = [];
  readonly minor: number[] = [];
  readonly isPurchase: boolean[] = [];
  private readonly before: number[] = [];
  private readonly known = new Map<string, number>();
  private readonly reader = new PackedReader();

  constructor(
    private readonly window: CohortWindow,
    private readonly amounts: Amounts,
  ) {
    this.chains = new Chains(window);
  }

  /** Every payment is a sale, whatever it replaced. */
  addChain(packed: PackedFold, name: string | null, offering: string | null): void {
    const { reader, chains } = this;
    const place = name === null ? null : this.personOf(name);
    const person = place === null ? null : at(this.people, place);
    reader.open(packed);
    chains.begin(place);
    while (reader.next()) {
      if (reader.kind === 'paid') this.addSale(reader, place);
      if (!person) continue;
      this.addBegin(reader, person, offering);
      if (reader.isSpan) chains.addSpan(reader);
    }
    chains.end();
  }

  /** Newest first. */
  *entriesOf({ lastEntry }: Person): Generator<number> {
    for (let entry = lastEntry; entry !== -1; entry = at(this.before, entry)) yield entry;
  }

  private personOf(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const place =
      this.people.push({ name, lastEntry: -1, transaction: null, trial: null, payment: null }) - 1;
    this.known.set(name, place);
    return place;
  }

  private addBegin(sold: PackedReader, person: Person, offering: string | null): void {
    if (sold.purchasedAt > this.window.nowMs) return;
    person.transaction = earlier(person.transaction, sold, offering);
    if (sold.kind === 'trial') person.trial = earlier(person.trial, sold, offering);
    if (sold.kind === 'paid') person.payment = earlier(person.payment, sold, offering);
  }

  private intervalAt(ms: number): number | null {
    if (ms > this.window.nowMs) return null;
    const interval = intervalOf(this.window.boundariesMs, ms);
    return interval < 0 ? null : interval;
  }

  private addSale(sold: PackedReader, person: number | null): void {
    const { refundedAt } = sold;
    const bought = this.intervalAt(sold.purchasedAt);
    const given = refundedAt === null ? null : this.intervalAt(refundedAt);
    if (bought === null && given === null) return;
    const { own, converted } = this.amounts(sold);
    const { gross = 0, refund = 0 } = converted ?? {};
    if (bought !== null) {
      this.purchases += 1;
      this.net += gross;
      if (!own) this.withoutPrice += 1;
      else if (!converted) {
        this.unconverted.set(own.currency, (this.unconverted.get(own.currency) ?? 0) + 1);
      }
    }
    if (given !== null) this.net -= refund;
    if (person === null) {
      if (bought !== null) this.nobody.purchases += 1;
      this.nobody.net += (bought === null ? 0 : gross) - (given === null ? 0 : refund);
      return;
    }
    if (bought !== null) this.addEntry(person, bought, gross, true);
    if (given !== null) this.addEntry(person, given, -refund, false);
  }

  private addEntry(place: number, interval: number, minor: number, isPurchase: boolean): void {
    const person = at(this.people, place);
    this.before.push(person.lastEntry);
    this.minor.push(minor);
    this.isPurchase.push(isPurchase);
    person.lastEntry = this.intervals.push(interval) - 1;
  }
}
