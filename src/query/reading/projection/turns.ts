const ENDED = 0x40000000;

export class Turns {
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))) {
    this.shared = shared;
  }

  /** A number that nobody else has taken, from 0. */
  take(): number {
    return Atomics.add(this.shared, 0, 1);
  }

  end(): void {
    Atomics.store(this.shared, 0, ENDED);
  }
}
