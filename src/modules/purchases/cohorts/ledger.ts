import { at } from '../../../shared/assert.ts';
import type { PackedFold } from '../overview/pack.ts';
import { PackedReader } from '../overview/packed-reader.ts';
import type { Amounts } from '../revenue/amounts.ts';
import { intervalOf } from '../revenue/window.ts';
import { type Begin, Chains } from './chains.ts';
import { Entries } from './entries.ts';
import type { Anchor } from './model.ts';
import type { CohortWindow } from './window.ts';

const NONE = -1;

/** `begun` is the chain that began first, `last` the newest: it links to the one before. */
export type Person = { name: string; begun: number; last: number };

/** Payments and refunds of chains, then of their people. */
export class Ledger {
  readonly people: Person[] = [];
  readonly chains: Chains;
  readonly entries = new Entries();
  /** Places of people by chain; `NONE` without one. */
  readonly owners: number[] = [];
  readonly nobody = { purchases: 0, net: 0 };
  readonly unconverted = new Map<string, number>();
  purchases = 0;
  net = 0;
  withoutPrice = 0;
  private readonly before: number[] = [];
  private readonly reader = new PackedReader();

  constructor(
    private readonly window: CohortWindow,
    private readonly amounts: Amounts,
    by: Anchor,
  ) {
    this.chains = new Chains(window, by);
  }

  /** Every payment is a sale, whatever it replaced. */
  addChain(packed: PackedFold, id: string, offering: string | null): void {
    const { reader, chains, entries } = this;
    reader.open(packed);
    while (reader.next()) {
      const interval = intervalOf(this.window.boundariesMs, reader.purchasedAt);
      if (reader.isPayment) this.addSale(reader, interval);
      chains.add(reader, interval);
    }
    chains.end(id, offering);
    entries.endChain();
  }

  private addSale(sold: PackedReader, interval: number): void {
    const { purchasedAt, refundedAt } = sold;
    const { nowMs, boundariesMs } = this.window;
    const isBought = interval >= 0 && purchasedAt <= nowMs;
    const given =
      refundedAt === null || refundedAt > nowMs ? NONE : intervalOf(boundariesMs, refundedAt);
    if (!isBought && given < 0) return;
    const { own, converted } = this.amounts(sold);
    if (isBought) {
      this.purchases += 1;
      if (!own) this.withoutPrice += 1;
      else if (!converted) {
        this.unconverted.set(own.currency, (this.unconverted.get(own.currency) ?? 0) + 1);
      }
      this.addEntry(interval, converted ? converted.gross : 0, 1);
    }
    if (given >= 0) this.addEntry(given, converted ? -converted.refund : 0, 0);
  }

  private addEntry(interval: number, minor: number, purchases: number): void {
    this.net += minor;
    this.entries.add(interval, minor, purchases);
  }

  /** Once, after all chains. */
  giveTo(buyers: ReadonlyMap<string, string>): void {
    const places = new Map<string, number>();
    for (const [chain, id] of this.chains.ids.entries()) {
      const name = buyers.get(id);
      if (name === undefined) {
        this.addToNobody(chain);
        continue;
      }
      const known = places.get(name);
      if (known === undefined) places.set(name, this.addPerson(name, chain));
      else this.addToPerson(known, chain);
    }
  }

  private addPerson(name: string, chain: number): number {
    const place = this.people.push({ name, begun: chain, last: chain }) - 1;
    this.owners.push(place);
    this.before.push(NONE);
    return place;
  }

  private addToPerson(place: number, chain: number): void {
    const person = at(this.people, place);
    if (this.chains.isEarlier(chain, person.begun)) person.begun = chain;
    this.owners.push(place);
    this.before.push(person.last);
    person.last = chain;
  }

  private addToNobody(chain: number): void {
    const { entries, nobody } = this;
    this.owners.push(NONE);
    this.before.push(NONE);
    for (let entry = entries.startOf(chain); entry < entries.endOf(chain); entry += 1) {
      nobody.purchases += at(entries.purchases, entry);
      nobody.net += at(entries.minor, entry);
    }
  }

  beginOf({ begun }: Person): Begin | null {
    return this.chains.beginOf(begun);
  }

  forEachEntry({ last }: Person, take: (entry: number) => void): void {
    const { entries } = this;
    for (let chain = last; chain !== NONE; chain = at(this.before, chain)) {
      const end = entries.endOf(chain);
      for (let entry = entries.startOf(chain); entry < end; entry += 1) take(entry);
    }
  }
}
