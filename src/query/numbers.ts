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
