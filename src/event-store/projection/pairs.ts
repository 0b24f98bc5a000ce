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
