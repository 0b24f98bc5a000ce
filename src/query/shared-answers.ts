/** A caller has gone before there was an answer. */
export class CallerLeft extends Error {
  constructor() {
    super('The caller has left.');
    this.name = 'CallerLeft';
  }
}

export type SharedWork = {
  /** Aborted when the last caller has left. */
  signal: AbortSignal;
  /** To be called when the work begins to read: what comes later it does not have. */
  begins: () => void;
};

type Shared<T> = {
  answer: Promise<T>;
  everybodyLeft: AbortController;
  callers: number;
  begun: { atMs: number | null };
};

/**
 * The same question asked by many at once is answered once: who asks while it waits for its turn, or
 * within a second of its beginning, gets the answer of the one before. One who leaves does not take
 * the answer from the others; when the last has left, the work is cancelled.
 */
export class SharedAnswers<T> {
  readonly #asked = new Map<string, Shared<T>>();

  /** How long after its beginning an answer may lack what has just been received. */
  constructor(private readonly joinableMs = 1_000) {}

  async ask(
    question: string,
    signal: AbortSignal | undefined,
    work: (work: SharedWork) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw new CallerLeft();
    const shared = this.#joinable(question) ?? this.#start(question, work);
    shared.callers += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(new CallerLeft());
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([shared.answer, left.promise]);
    } finally {
      signal?.removeEventListener('abort', leave);
      shared.callers -= 1;
      if (shared.callers === 0) {
        this.#forget(question, shared);
        shared.everybodyLeft.abort();
      }
    }
  }

  #joinable(question: string): Shared<T> | undefined {
    const shared = this.#asked.get(question);
    const begunAtMs = shared?.begun.atMs ?? null;
    const isFresh = begunAtMs === null || performance.now() - begunAtMs < this.joinableMs;
    return isFresh ? shared : undefined;
  }

  #start(question: string, work: (work: SharedWork) => Promise<T>): Shared<T> {
    const everybodyLeft = new AbortController();
    const begun: { atMs: number | null } = { atMs: null };
    const begins = () => {
      begun.atMs = performance.now();
    };
    const answer = work({ signal: everybodyLeft.signal, begins });
    const shared: Shared<T> = { answer, everybodyLeft, begun, callers: 0 };
    this.#asked.set(question, shared);
    // Nobody may be left to hear of a failure.
    answer.catch(() => undefined).finally(() => this.#forget(question, shared));
    return shared;
  }

  /** A later one of the same question stays. */
  #forget(question: string, shared: Shared<T>): void {
    if (this.#asked.get(question) === shared) this.#asked.delete(question);
  }
}
