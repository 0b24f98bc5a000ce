const TURN_MS = 10;

/** Yields within long loops and ends them past the timeout. */
export class Pace {
  readonly #checkTime: () => void;
  #sinceMs = performance.now();

  constructor(checkTime: () => void) {
    this.#checkTime = checkTime;
  }

  async turn(): Promise<void> {
    if (performance.now() - this.#sinceMs < TURN_MS) return;
    this.#checkTime();
    await new Promise((resolve) => setImmediate(resolve));
    this.#checkTime();
    this.#sinceMs = performance.now();
  }
}
