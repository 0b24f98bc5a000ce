import { LRUCache } from 'lru-cache';
import { AppError } from './errors.ts';
import { singleFlight } from './single-flight.ts';
import { type Clock, SECOND_MS } from './time.ts';
import { withTimeLimit } from './time-limit.ts';

/** Under the 5 s within which a revocation must take effect, with room for the request itself. */
const FRESH_MS = 4 * SECOND_MS;
/** A lookup that takes longer counts as a database that is away. */
const LOOKUP_LIMIT_MS = 2 * SECOND_MS;
/** Stop starting lookups once this many timed-out ones are still pending. */
const MAX_PENDING = 100;
/** Max wait before serving a stale entry. */
const STALE_AFTER_MS = SECOND_MS;
/** Serve stale without waiting for this long after a timeout. */
const AWAY_MS = 2 * SECOND_MS;

export type VerifiedCacheOptions = {
  clock: Clock;
  maxEntries: number;
  /** True when the lookup failed because the database is away. */
  isAway: (thrown: unknown) => boolean;
};

export type LookupOptions = {
  /** Max age of a stale entry to serve while the database is away; 0 if left out. */
  graceMs?: number | undefined;
};

type Entry<T> = { value: T; verifiedAtMs: number };

/**
 * Caches positive answers of a check for a few seconds. Never caches "no". Bounded, least recently
 * used first out. Its lookups stay outside the `LRUCache` (`fetchMethod`): they would take places,
 * so that unknown keys push verified ones out, and a "no" would leave the stale entry in.
 */
export class VerifiedCache<T> {
  private readonly entries: LRUCache<string, Entry<T>>;
  private readonly once = singleFlight<T | null>();
  private generation = 0;
  private awayUntilMs = 0;
  private pending = 0;

  constructor(private readonly options: VerifiedCacheOptions) {
    this.entries = new LRUCache({ max: options.maxEntries });
  }

  /**
   * The cached value of `key`, else that of `verify` (single flight for each key). While the
   * database is away, serves an entry verified within `graceMs`, else throws `unavailable`.
   */
  async get(
    key: string,
    verify: () => Promise<T | null>,
    { graceMs = 0 }: LookupOptions = {},
  ): Promise<T | null> {
    const entry = this.entries.get(key);
    const ageMs = entry ? this.nowMs() - entry.verifiedAtMs : Number.POSITIVE_INFINITY;
    if (entry && ageMs < FRESH_MS) return entry.value;
    const lookup = this.once(key, () => this.verifyAndCache(key, verify));
    return entry && ageMs < graceMs ? this.preferFresh(lookup, entry.value) : lookup;
  }

  /** True when a value of `key` is cached, however old. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Drops every value that `matches`, so that the next check looks it up. */
  forget(matches: (value: T) => boolean): void {
    this.generation += 1;
    for (const [key, entry] of [...this.entries.entries()]) {
      if (matches(entry.value)) this.entries.delete(key);
    }
  }

  /** The result of the lookup, or `stale` while the database is away. */
  private async preferFresh(lookup: Promise<T | null>, stale: T): Promise<T | null> {
    const serveStale = () => {
      this.awayUntilMs = this.nowMs() + AWAY_MS;
      return stale;
    };
    const fresh = lookup.catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'unavailable') return serveStale();
      throw thrown;
    });
    if (this.nowMs() >= this.awayUntilMs) return withTimeLimit(fresh, STALE_AFTER_MS, serveStale);
    // A failure reaches the next caller, who waits for it.
    fresh.catch(() => undefined);
    return stale;
  }

  private async verifyAndCache(key: string, verify: () => Promise<T | null>): Promise<T | null> {
    const verifiedAtMs = this.nowMs();
    const { generation } = this;
    const value = await this.lookUp(verify).catch((thrown: unknown) => {
      throw this.options.isAway(thrown) ? unavailable(thrown) : thrown;
    });
    this.awayUntilMs = 0;
    // After `forget` the lookup may have seen what was forgotten.
    const keep = value !== null && generation === this.generation;
    if (keep) this.entries.set(key, { value, verifiedAtMs });
    else this.entries.delete(key);
    return value;
  }

  /** Bounds the time of a lookup. One that times out cannot be cancelled, but counts as pending. */
  private async lookUp(verify: () => Promise<T | null>): Promise<T | null> {
    if (this.pending >= MAX_PENDING) throw unavailable();
    const work = verify();
    return withTimeLimit(work, LOOKUP_LIMIT_MS, () => {
      this.pending += 1;
      const settled = () => {
        this.pending -= 1;
      };
      work.then(settled, settled);
      throw unavailable();
    });
  }

  private nowMs(): number {
    return this.options.clock().getTime();
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'The service cannot check credentials right now.', {
    hint: 'Try again in a few seconds.',
    retryAfterSeconds: 5,
    cause,
  });
}
