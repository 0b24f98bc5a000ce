/** Numbers that arrive one by one, in memory that doubles when it is full. */
export class Numbers {
  #values: Float64Array;
  #count = 0;

  constructor(capacity = 16) {
    this.#values = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.#count === this.#values.length) this.#grow(2 * this.#values.length);
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  values(): Float64Array {
    return this.#values.subarray(0, this.#count);
  }

  append(values: Float64Array): void {
    const count = this.#count + values.length;
    if (count > this.#values.length) this.#grow(2 * count);
    this.#values.set(values, this.#count);
    this.#count = count;
  }

  #grow(length: number): void {
    const larger = new Float64Array(length);
    larger.set(this.values());
    this.#values = larger;
  }
}
