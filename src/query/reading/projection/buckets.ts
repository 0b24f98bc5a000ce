import { at } from '../../../shared/assert.ts';
import type { FileFacts } from '../source/files.ts';

export const OUTSIDE = -1;

export class Buckets {
  readonly count: number;
  readonly #boundaries: Float64Array;
  readonly #first: number;
  readonly #last: number;
  readonly #perUs: number;
  readonly #before: number;

  /** `before` is the bucket of all earlier times. */
  constructor(boundariesUs: readonly number[], before = OUTSIDE) {
    this.count = boundariesUs.length - 1;
    this.#boundaries = Float64Array.from(boundariesUs);
    this.#first = at(boundariesUs, 0);
    this.#last = at(boundariesUs, this.count);
    this.#perUs = this.count / (this.#last - this.#first);
    this.#before = before;
  }

  of(timeUs: number): number {
    if (timeUs < this.#first) return this.#before;
    if (timeUs >= this.#last) return OUTSIDE;
    let bucket = Math.min(this.count - 1, Math.floor((timeUs - this.#first) * this.#perUs));
    while (this.#boundaries[bucket] > timeUs) bucket -= 1;
    while (this.#boundaries[bucket + 1] <= timeUs) bucket += 1;
    return bucket;
  }

  ofFile({ minOccurredAt, maxOccurredAt }: FileFacts): number | null {
    const [firstUs, lastUs] = [
      minOccurredAt.getTime() * 1_000,
      maxOccurredAt.getTime() * 1_000 - 1,
    ];
    const first = this.of(firstUs);
    if (first !== this.of(lastUs)) return null;
    return firstUs < this.#first && lastUs >= this.#last ? null : first;
  }
}
