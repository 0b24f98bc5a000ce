import { Shares } from './shares.ts';

/** A second of the background costs as nine of people do: it keeps a tenth while both wait. */
const WEIGHTS = { people: 1, background: 9 } as const;
export type Asker = keyof typeof WEIGHTS;

/** Places of a query process, of which the background leaves one to people. */
export class Slots {
  readonly #shares = new Shares();
  readonly #waiting = new Set<{ payers: readonly [Asker]; start: () => void }>();
  readonly #running: Asker[] = [];

  constructor(
    private readonly places: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  async run<T>(asker: Asker, task: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.add({ payers: [asker], start: turn.resolve });
    this.#start();
    await turn.promise;
    const begunAt = this.clock();
    try {
      return await task();
    } finally {
      this.#shares.charge([asker], WEIGHTS[asker] * (this.clock() - begunAt));
      this.#running.splice(this.#running.indexOf(asker), 1);
      this.#start();
    }
  }

  #isFree(asker: Asker): boolean {
    const held = this.#running.filter((one) => one === 'background').length;
    return asker === 'people' || held < Math.max(1, this.places - 1);
  }

  #start(): void {
    while (this.#running.length < this.places) {
      const open = [...this.#waiting].filter(({ payers: [asker] }) => this.#isFree(asker));
      const next = this.#shares.first(open);
      if (!next) return;
      this.#waiting.delete(next);
      this.#shares.begin(next.payers);
      this.#running.push(next.payers[0]);
      next.start();
    }
  }
}
