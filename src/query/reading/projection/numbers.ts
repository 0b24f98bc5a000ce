const MAX_CHUNK = 65_536;

export class Numbers {
  #chunks: Float64Array[] = [];
  #length = 0;
  #open: Float64Array;
  #count = 0;

  constructor(capacity = 16) {
    this.#open = new Float64Array(capacity);
  }

  get length(): number {
    return this.#length + this.#count;
  }

  push(value: number): void {
    if (this.#count === this.#open.length) this.#openAnother();
    this.#open[this.#count] = value;
    this.#count += 1;
  }

  /** Valid until the next change. */
  values(): Float64Array {
    const [only] = this.#chunks;
    if (only === undefined) return this.#open.subarray(0, this.#count);
    if (this.#chunks.length === 1 && this.#count === 0) return only;
    const all = this.copy();
    this.#chunks = [all];
    this.#length = all.length;
    this.#count = 0;
    return all;
  }

  copy(): Float64Array<ArrayBuffer> {
    const all = new Float64Array(this.length);
    let place = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, place);
      place += chunk.length;
    }
    all.set(this.#open.subarray(0, this.#count), place);
    return all;
  }

  /** Keeps what it is given. */
  append(values: Float64Array): void {
    if (values.length === 0) return;
    this.#close();
    this.#chunks.push(values);
    this.#length += values.length;
  }

  #close(): void {
    if (this.#count === 0) return;
    this.#chunks.push(this.#open.subarray(0, this.#count));
    this.#length += this.#count;
    this.#open = this.#open.subarray(this.#count);
    this.#count = 0;
  }

  #openAnother(): void {
    const size = Math.min(MAX_CHUNK, 2 * Math.max(this.#open.length, 8));
    this.#close();
    this.#open = new Float64Array(size);
  }
}
