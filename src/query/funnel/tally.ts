import { at } from '../../shared/assert.ts';
import { floatAt, Numbers } from '../numbers.ts';
import { median } from './statistics.ts';

const SECOND_US = 1_000_000;

function medianSeconds(durations: Numbers): number | null {
  const middle = median(durations.values());
  return middle === null ? null : middle / SECOND_US;
}

/** Counts and medians of a group of people; whether they may be shown is decided later. */
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
  readonly #fromPrevious: Numbers[];
  readonly #fromStart: Numbers[];

  constructor(stepCount: number) {
    this.#depths = new Float64Array(stepCount + 1);
    this.#fromPrevious = Array.from({ length: stepCount }, () => new Numbers());
    this.#fromStart = Array.from({ length: stepCount }, () => new Numbers());
  }

  /** `depth` steps reached, at the first `depth` times of `reachedUs`. */
  add(depth: number, reachedUs: Float64Array): void {
    this.#depths[depth] = floatAt(this.#depths, depth) + 1;
    const start = floatAt(reachedUs, 0);
    let previous = start;
    for (let step = 1; step < depth; step += 1) {
      const reached = floatAt(reachedUs, step);
      at(this.#fromPrevious, step).push(reached - previous);
      at(this.#fromStart, step).push(reached - start);
      previous = reached;
    }
  }

  figures(): TallyFigures {
    const people: number[] = [];
    let reached = 0;
    for (let depth = this.#depths.length - 1; depth >= 1; depth -= 1) {
      reached += floatAt(this.#depths, depth);
      people.unshift(reached);
    }
    return {
      people,
      medianSecondsFromPrevious: this.#fromPrevious.map(medianSeconds),
      medianSecondsFromStart: this.#fromStart.map(medianSeconds),
    };
  }
}
