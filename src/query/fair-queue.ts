import { must } from '../shared/assert.ts';

export type FairQueueOptions = {
  places: number;
  placesPerKey: number;
  waitingPerKey: number;
  waitMs: number;
};

/** No slot came free within the wait, or too many tasks of the key wait. */
export class QueueFull extends Error {
  constructor() {
    super('Too many queries are waiting.');
    this.name = 'QueueFull';
  }
}

type Waiting = { start: () => void };

/** Round robin: a busy key delays itself. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, tasks) => sum + tasks.length, 0);
  }

  /** Leaves the queue once `signal` is aborted. */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(key, signal);
    try {
      return await task();
    } finally {
      this.#leave(key);
    }
  }

  #enter(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#mayStart(key)) {
      this.#take(key);
      return Promise.resolve();
    }
    const waiting = this.#waiting.get(key) ?? [];
    if (waiting.length >= this.#options.waitingPerKey) return Promise.reject(new QueueFull());
    return new Promise((resolve, reject) => {
      const entry: Waiting = { start: resolve };
      const giveUp = (reason: unknown) => {
        settle();
        this.#remove(key, entry);
        reject(reason);
      };
      const leave = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(new QueueFull()), this.#options.waitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      entry.start = () => {
        settle();
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      this.#waiting.set(key, waiting);
    });
  }

  #mayStart(key: string): boolean {
    const { places, placesPerKey } = this.#options;
    return this.#total < places && (this.#running.get(key) ?? 0) < placesPerKey;
  }

  #take(key: string): void {
    this.#total += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #leave(key: string): void {
    this.#total -= 1;
    const left = must(this.#running.get(key), 'a key that leaves is running') - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
    this.#startNext();
  }

  #startNext(): void {
    for (const [key, waiting] of this.#waiting) {
      if (!this.#mayStart(key)) continue;
      const next = must(waiting.shift(), 'a key without waiting tasks is removed');
      this.#waiting.delete(key);
      if (waiting.length > 0) this.#waiting.set(key, waiting);
      this.#take(key);
      next.start();
      return;
    }
  }

  #remove(key: string, entry: Waiting): void {
    const left = (this.#waiting.get(key) ?? []).filter((other) => other !== entry);
    if (left.length === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, left);
  }
}
