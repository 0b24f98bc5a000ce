export class CallerLeft extends Error {
  constructor() {
    super('The caller has left.');
    this.name = 'CallerLeft';
  }
}

export type SharedWork = {
  /** Aborted when the last caller has left. */
  signal: AbortSignal;
  begins: () => void;
};

type Shared<T> = {
  answer: Promise<T>;
  everybodyLeft: AbortController;
  callers: number;
  begun: { atMs: number | null };
};

/**
 * An answer is shared while it waits or within a second of its start. When the last caller leaves,
 * the work is cancelled.
 */
export class SharedAnswers<T> {
  readonly #asked = new Map<string, Shared<T>>();

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
    answer.catch(() => undefined).finally(() => this.#forget(question, shared));
    return shared;
  }

  /** A later question of the same text stays. */
  #forget(question: string, shared: Shared<T>): void {
    if (this.#asked.get(question) === shared) this.#asked.delete(question);
  }
}
