import { AppError } from './errors.ts';
import { type Clock, SECOND_MS, sleep } from './time.ts';

/** Under the 5 s within which a revocation must be felt, with room for the request itself. */
const FRESH_MS = 4 * SECOND_MS;
/** A look-up that takes longer counts as a database that is away. */
const LOOKUP_LIMIT_MS = 2 * SECOND_MS;
/** Once so many that were given up still wait in a hanging database, no others are begun. */
const MAX_GIVEN_UP = 100;
/** A database that hangs must not hold up longer somebody who counts anyway. */
const PATIENCE_MS = SECOND_MS;
/** After that, for so long nobody who counts anyway waits again. */
const AWAY_MS = 2 * SECOND_MS;

export type VerifiedCacheOptions = {
  clock: Clock;
  maxEntries: number;
  /** True when the look-up failed because the database is away. */
  isAway: (thrown: unknown) => boolean;
};

export type LookupOptions = {
  /** How old a verified answer may be while the database is away; 0 unless said. */
  graceMs?: number;
};

type Entry<T> = { value: T; verifiedAtMs: number };

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'The service cannot check credentials just now.', {
    hint: 'Try again in a few seconds.',
    retryAfterSeconds: 5,
    cause,
  });
}

/**
 * Remembers what was verified a moment ago, so that a check does not cost a round trip each.
 * "No" is never remembered. Bounded: the entry unused for longest goes first.
 */
export class VerifiedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly running = new Map<string, Promise<T | null>>();
  private generation = 0;
  private awayUntilMs = 0;
  private givenUp = 0;

  constructor(private readonly options: VerifiedCacheOptions) {}

  /**
   * The value of `key`: remembered, or from `verify` (one call at a time for a key). While the
   * database is away a value verified within `graceMs` still counts; otherwise throws
   * `AppError('unavailable')`.
   */
  async get(
    key: string,
    verify: () => Promise<T | null>,
    { graceMs = 0 }: LookupOptions = {},
  ): Promise<T | null> {
    const known = this.entries.get(key);
    const ageMs = known ? this.nowMs() - known.verifiedAtMs : Number.POSITIVE_INFINITY;
    if (known && ageMs < FRESH_MS) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.value;
    }
    const lookUp = this.lookUp(key, verify);
    if (!known || ageMs >= graceMs) return lookUp;
    return this.preferFresh(lookUp, known.value);
  }

  /** True when a value of `key` is remembered, however old. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Drops every value that `matches`, so that the next check asks again. */
  forget(matches: (value: T) => boolean): void {
    this.generation += 1;
    for (const [key, entry] of this.entries) {
      if (matches(entry.value)) this.entries.delete(key);
    }
  }

  /** What the look-up finds, or `known` when the database does not say so soon. */
  private preferFresh(lookUp: Promise<T | null>, known: T): Promise<T | null> {
    const fallBack = () => {
      this.awayUntilMs = this.nowMs() + AWAY_MS;
      return known;
    };
    const found = lookUp.catch((thrown: unknown) => {
      if (isUnavailable(thrown)) return fallBack();
      throw thrown;
    });
    if (this.nowMs() < this.awayUntilMs) {
      // Its fault is the next caller's, who waits for it.
      found.catch(() => undefined);
      return Promise.resolve(known);
    }
    const patience = new AbortController();
    return Promise.race([
      found.finally(() => patience.abort()),
      sleep(PATIENCE_MS, patience.signal).then(() =>
        patience.signal.aborted ? known : fallBack(),
      ),
    ]);
  }

  private lookUp(key: string, verify: () => Promise<T | null>): Promise<T | null> {
    const running = this.running.get(key);
    if (running) return running;
    const started = this.verifyAndKeep(key, verify).finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }

  private async verifyAndKeep(key: string, verify: () => Promise<T | null>): Promise<T | null> {
    const verifiedAtMs = this.nowMs();
    const { generation } = this;
    const value = await this.soon(verify).catch((thrown: unknown) => {
      throw this.options.isAway(thrown) ? unavailable(thrown) : thrown;
    });
    this.awayUntilMs = 0;
    this.entries.delete(key);
    // What was forgotten while the look-up ran may be what it saw.
    if (value !== null && generation === this.generation) {
      this.entries.set(key, { value, verifiedAtMs });
      this.dropOverflow();
    }
    return value;
  }

  /** What `verify` finds within the limit; one that hangs past it is not cancelled, but counted. */
  private async soon(verify: () => Promise<T | null>): Promise<T | null> {
    if (this.givenUp >= MAX_GIVEN_UP) throw unavailable();
    const work = verify();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.giveUp(work);
        reject(unavailable());
      }, LOOKUP_LIMIT_MS);
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  private giveUp(work: Promise<unknown>): void {
    this.givenUp += 1;
    const settled = () => {
      this.givenUp -= 1;
    };
    work.then(settled, settled);
  }

  private dropOverflow(): void {
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.options.maxEntries) return;
      this.entries.delete(oldest);
    }
  }

  private nowMs(): number {
    return this.options.clock().getTime();
  }
}

function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'unavailable';
}
