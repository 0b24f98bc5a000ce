import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../../shared/time.ts';
import { type Capacity, type Lane, type Place, Places } from './places.ts';
import type { Payers } from './shares.ts';

export type ScheduleOptions = {
  capacity: Capacity;
  waitingPerOrganization: number;
  waitMs: number;
  payersOf?: (orgId: string) => Promise<Payers>;
  onSeconds?: ((lane: Lane, seconds: number) => void) | undefined;
};

/** `likeness`: of questions that take about as long, as they have events to read. */
export type Asking = { orgId: string; likeness: string; events?: number | undefined };

export type Turn = Place & {
  signal: AbortSignal;
  /** On a busy host a short question takes long. */
  onUsed?: (processorSeconds: number) => void;
};

export class QueueFull extends Error {
  constructor() {
    super('Too many questions are waiting.');
    this.name = 'QueueFull';
  }
}

/** It took longer than a short place allows. */
export class Overrun extends Error {
  constructor() {
    super('The question is a long one.');
    this.name = 'Overrun';
  }
}

type Question = {
  payers: Payers;
  costSeconds: number;
  orgId: string;
  start: (place: Place) => void;
};

const MAX_LIKENESSES = 10_000;
const FEW_EVENTS = 100_000;

type Taken = { seconds: number; events: number };

export class Schedule {
  readonly places: Places<Question>;
  readonly #options: ScheduleOptions;
  readonly #taken = new LRUCache<string, Taken>({ max: MAX_LIKENESSES });

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.places = new Places(options.capacity);
  }

  /** As the last time, for each event to be read; a short try says the first. */
  cost({ likeness, events = 0 }: Asking): number {
    const last = this.#taken.get(likeness);
    return last ? (last.seconds * Math.max(FEW_EVENTS, events)) / last.events : 0;
  }

  async run<T>(
    asking: Asking,
    task: (turn: Turn) => Promise<T>,
    signal = new AbortController().signal,
  ): Promise<T> {
    const { orgId, likeness, events = 0 } = asking;
    signal.throwIfAborted();
    const payers = (await this.#options.payersOf?.(orgId)) ?? [orgId];
    signal.throwIfAborted();
    const untilMs = performance.now() + this.#options.waitMs;
    for (let costSeconds = this.cost(asking); ; costSeconds = Number.POSITIVE_INFINITY) {
      const question = { payers, orgId, costSeconds, start: () => undefined };
      const place = await this.#enter(question, untilMs, signal);
      let used: number | null = null;
      const onUsed = (processorSeconds: number) => {
        used = processorSeconds;
      };
      try {
        return await task({ ...place, signal, onUsed });
      } catch (thrown) {
        if (!(thrown instanceof Overrun)) throw thrown;
      } finally {
        const seconds = this.#leave(question, place);
        const taken = { seconds: used ?? seconds, events: Math.max(FEW_EVENTS, events) };
        if (!signal.aborted) this.#taken.set(likeness, taken);
      }
    }
  }

  #enter(question: Question, untilMs: number, signal: AbortSignal): Promise<Place> {
    const { waiting } = this.places;
    const entered = Promise.withResolvers<Place>();
    const giveUp = (reason: unknown) => {
      waiting.delete(question);
      entered.reject(reason);
    };
    const leave = () => giveUp(signal.reason);
    const timer = setTimeout(giveUp, Math.max(0, untilMs - performance.now()), new QueueFull());
    signal.addEventListener('abort', leave, { once: true });
    question.start = entered.resolve;
    waiting.add(question);
    this.#start();
    const own = [...waiting].filter(({ orgId }) => orgId === question.orgId).length;
    if (own > this.#options.waitingPerOrganization && waiting.has(question)) {
      giveUp(new QueueFull());
    }
    return entered.promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    });
  }

  #leave(question: Question, { lane }: Place): number {
    const seconds = this.places.end(question, performance.now() / SECOND_MS);
    this.#options.onSeconds?.(lane, seconds);
    this.#start();
    return seconds;
  }

  #start(): void {
    for (;;) {
      const next = this.places.next(performance.now() / SECOND_MS);
      if (next === null) return;
      const { question, ...place } = next;
      question.start(place);
    }
  }
}
