import { outside } from '../shared/assert.ts';

/**
 * `at` for loops over every event. One function for each type of array: the engine compiles it for
 * that type alone, where a shared one takes several times as long.
 */
export function floatAt(array: Float64Array, index: number): number {
  const value = array[index];
  return value === undefined ? outside(index, array.length) : value;
}

export function intAt(array: Int32Array, index: number): number {
  const value = array[index];
  return value === undefined ? outside(index, array.length) : value;
}

/** Numbers that arrive one by one, in memory that doubles when it is full. */
export class Numbers {
  #values: Float64Array;
  #count = 0;

  constructor(capacity = 16) {
    this.#values = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.#count === this.#values.length) this.#grow();
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  /** What was pushed; a view, valid until the next `push`. */
  values(): Float64Array {
    return this.#values.subarray(0, this.#count);
  }

  #grow(): void {
    const larger = new Float64Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}
