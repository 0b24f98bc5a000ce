import { Shares } from './shares.ts';

/** A second of the background costs as nine of people do: it keeps a tenth while both wait. */
const WEIGHTS = { people: 1, background: 9 } as const;
export type Asker = keyof typeof WEIGHTS;

const QUIET_MS = 60_000;

/** Places of a query process, of which the background leaves one to people while they ask. */
export class Slots {
  readonly #shares = new Shares();
  readonly #waiting = new Set<{ payers: readonly [Asker]; start: () => void }>();
  readonly #running: Asker[] = [];
  #peopleAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly places: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  async run<T>(asker: Asker, task: () => Promise<T>): Promise<T> {
    if (asker === 'people') this.#peopleAt = this.clock();
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
    const isQuiet = this.clock() - this.#peopleAt > QUIET_MS;
    return asker === 'people' || held < (isQuiet ? this.places : Math.max(1, this.places - 1));
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
