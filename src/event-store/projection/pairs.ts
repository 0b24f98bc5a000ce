import { at } from '../../shared/assert.ts';
import type { Sender } from './format.ts';

/** Interns pairs as sequential ids. */
export class PairNumbers<A, B> {
  readonly #numbers = new Map<A, Map<B, number>>();
  readonly #make: (a: A, b: B) => number;

  constructor(make: (a: A, b: B) => number) {
    this.#make = make;
  }

  of(a: A, b: B): number {
    const ofA = this.#numbers.get(a) ?? new Map<B, number>();
    const known = ofA.get(b);
    if (known !== undefined) return known;
    this.#numbers.set(a, ofA);
    const made = this.#make(a, b);
    ofA.set(b, made);
    return made;
  }
}

/** Interns senders as sequential ids. */
export class Senders {
  readonly #pairs: PairNumbers<string | null, string | null>;
  readonly #byCountry: PairNumbers<number, string | null>;

  constructor(make: (sender: Sender) => number) {
    const pairs: Pick<Sender, 'platform' | 'version'>[] = [];
    this.#pairs = new PairNumbers((platform, version) => pairs.push({ platform, version }) - 1);
    this.#byCountry = new PairNumbers((pair, country) => make({ ...at(pairs, pair), country }));
  }

  of(platform: string | null, version: string | null, country: string | null): number {
    return this.#byCountry.of(this.#pairs.of(platform, version), country);
  }
}
