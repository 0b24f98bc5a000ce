import { at, outside } from '../../shared/assert.ts';
import { Numbers } from '../reading/projection/numbers.ts';
import { toDistribution } from './distribution.ts';
import type { ConversionTimes, GroupTally } from './model.ts';
import { median } from '../../shared/statistics/median.ts';

const SECOND_US = 1_000_000;

function medianSeconds(durations: Numbers): number | null {
  const middle = median(durations.values());
  return middle === null ? null : middle / SECOND_US;
}

export class Tally {
  readonly #depths: Float64Array;
  readonly #fromPrevious: Numbers[];
  readonly #fromStart: Numbers[];

  constructor(stepCount: number) {
    this.#depths = new Float64Array(stepCount + 1);
    this.#fromPrevious = Array.from({ length: stepCount }, () => new Numbers());
    this.#fromStart = Array.from({ length: stepCount }, () => new Numbers());
  }

  add(depth: number, reachedUs: Float64Array): void {
    this.#depths[depth] = (this.#depths[depth] ?? outside()) + 1;
    const start = reachedUs[0] ?? outside();
    let previous = start;
    for (let step = 1; step < depth; step += 1) {
      const reached = reachedUs[step] ?? outside();
      at(this.#fromPrevious, step).push(reached - previous);
      at(this.#fromStart, step).push(reached - start);
      previous = reached;
    }
  }

  get sums(): Float64Array[] {
    return [this.#depths];
  }

  get lists(): Numbers[] {
    return [...this.#fromPrevious, ...this.#fromStart];
  }

  distribution(windowUs: number): ConversionTimes {
    return toDistribution(at(this.#fromStart, this.#fromStart.length - 1).values(), windowUs);
  }

  figures(): GroupTally {
    const people: number[] = [];
    let reached = 0;
    for (let depth = this.#depths.length - 1; depth >= 1; depth -= 1) {
      reached += this.#depths[depth] ?? outside();
      people.unshift(reached);
    }
    return {
      people,
      medianSecondsFromPrevious: this.#fromPrevious.map(medianSeconds),
      medianSecondsFromStart: this.#fromStart.map(medianSeconds),
    };
  }
}
