export class PeopleCounts {
  readonly #kept: number;
  readonly #clauses: number;
  counts: readonly Uint32Array[];
  firstUs: Float64Array;
  isKnown: Uint8Array;

  constructor(clauses: number, kept = 0) {
    this.#kept = kept;
    this.#clauses = clauses;
    this.counts = this.#countsOf(kept);
    this.firstUs = new Float64Array(kept).fill(Infinity);
    this.isKnown = new Uint8Array(kept);
  }

  #countsOf(length: number): Uint32Array[] {
    return Array.from({ length: this.#clauses }, () => new Uint32Array(length));
  }

  clear(places: number): void {
    const [kept, length] = [this.#kept, this.#kept + places];
    if (length > this.isKnown.length) this.#grow(2 * length);
    for (const ofClause of this.counts) ofClause.fill(0, kept, length);
    this.firstUs.fill(Infinity, kept, length);
    this.isKnown.fill(0, kept, length);
  }

  #grow(length: number): void {
    const { counts, firstUs, isKnown } = this;
    const kept = this.#kept;
    this.counts = this.#countsOf(length);
    this.firstUs = new Float64Array(length).fill(Infinity);
    this.isKnown = new Uint8Array(length);
    for (const [clause, ofClause] of counts.entries()) {
      this.counts[clause].set(ofClause.subarray(0, kept));
    }
    this.firstUs.set(firstUs.subarray(0, kept));
    this.isKnown.set(isKnown.subarray(0, kept));
  }

  add(place: number, clause: number, times = 1): void {
    this.counts[clause][place] += times;
    this.isKnown[place] = 1;
  }

  see(place: number, timeUs: number): void {
    this.isKnown[place] = 1;
    if (timeUs < this.firstUs[place]) this.firstUs[place] = timeUs;
  }
}
