import { median } from './statistics.ts';

const SECOND_US = 1_000_000;

/** Numbers that arrive one by one, kept without a JavaScript object for each. */
class Durations {
  #values = new Float64Array(16);
  #count = 0;

  add(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  medianSeconds(): number | null {
    const middle = median(this.#values.subarray(0, this.#count));
    return middle === null ? null : middle / SECOND_US;
  }
}

/** What a group of people did, before anybody judges whether it may be shown. */
export type TallyFigures = {
  /** By step: people who reached it. */
  people: number[];
  /** By step; null for step 1 and where nobody came. */
  medianSecondsFromPrevious: (number | null)[];
  medianSecondsFromStart: (number | null)[];
};

/** Adds up the counted paths of people. */
export class Tally {
  readonly #depths: Float64Array;
  readonly #fromPrevious: Durations[];
  readonly #fromStart: Durations[];

  constructor(stepCount: number) {
    this.#depths = new Float64Array(stepCount + 1);
    this.#fromPrevious = Array.from({ length: stepCount }, () => new Durations());
    this.#fromStart = Array.from({ length: stepCount }, () => new Durations());
  }

  /** `depth` steps reached, at the first `depth` times of `reachedUs`. */
  add(depth: number, reachedUs: Float64Array): void {
    this.#depths[depth] = (this.#depths[depth] ?? 0) + 1;
    const start = reachedUs[0] ?? 0;
    for (let step = 1; step < depth; step += 1) {
      const at = reachedUs[step] ?? 0;
      this.#fromPrevious[step]?.add(at - (reachedUs[step - 1] ?? 0));
      this.#fromStart[step]?.add(at - start);
    }
  }

  figures(): TallyFigures {
    const people: number[] = [];
    let reached = 0;
    for (let depth = this.#depths.length - 1; depth >= 1; depth -= 1) {
      reached += this.#depths[depth] ?? 0;
      people.unshift(reached);
    }
    return {
      people,
      medianSecondsFromPrevious: this.#fromPrevious.map((values) => values.medianSeconds()),
      medianSecondsFromStart: this.#fromStart.map((values) => values.medianSeconds()),
    };
  }
}
