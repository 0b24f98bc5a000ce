export class Trend {
  readonly #starts: Float64Array;
  readonly #people: Float64Array;
  readonly #finished: Float64Array;

  constructor(starts: readonly number[]) {
    this.#starts = Float64Array.from(starts);
    this.#people = new Float64Array(starts.length);
    this.#finished = new Float64Array(starts.length);
  }

  add(startedAt: number, finished: boolean): void {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle] <= startedAt) low = middle;
      else high = middle - 1;
    }
    this.#people[low] += 1;
    if (finished) this.#finished[low] += 1;
  }

  get sums(): Float64Array[] {
    return [this.#people, this.#finished];
  }

  points(): { people: number; finished: number }[] {
    return Array.from(this.#people, (people, index) => ({
      people,
      finished: this.#finished[index],
    }));
  }
}
