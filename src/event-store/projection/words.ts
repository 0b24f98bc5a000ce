type NumberArray<T> = {
  [index: number]: number;
  readonly length: number;
  readonly byteLength: number;
  set: (values: ArrayLike<number>) => void;
  subarray: (from: number, before: number) => T;
};

export class Words<T extends NumberArray<T>> {
  readonly #make: (length: number) => T;
  #values: T;
  length = 0;

  constructor(make: (length: number) => T, capacity = 1_024) {
    this.#make = make;
    this.#values = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = this.#make(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    const values: NumberArray<T> = this.#values;
    values[this.length] = value;
    this.length += 1;
  }

  put(index: number, value: number): void {
    const values: NumberArray<T> = this.#values;
    values[index] = value;
  }

  at(index: number): number {
    const values: NumberArray<T> = this.#values;
    return values[index];
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  values(): T {
    return this.#values.subarray(0, this.length);
  }
}
