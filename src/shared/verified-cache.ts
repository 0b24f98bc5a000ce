import { LRUCache } from 'lru-cache';
import { AppError } from './errors.ts';
import { singleFlight } from './single-flight.ts';
import { type Clock, SECOND_MS } from './time.ts';
import { withTimeout } from './timeout.ts';

const FRESH_MS = 4 * SECOND_MS;
const LOOKUP_LIMIT_MS = 2 * SECOND_MS;
/** No new lookups above this many timed-out pending ones. */
const MAX_PENDING = 100;
/** Wait before serving a stale entry. */
const STALE_AFTER_MS = SECOND_MS;
/** Period of serving stale without waiting, after a timeout. */
const AWAY_MS = 2 * SECOND_MS;

export type VerifiedCacheOptions = {
  clock: Clock;
  maxEntries: number;
  /** Whether the error means a database outage. */
  isAway: (thrown: unknown) => boolean;
};

export type LookupOptions = {
  /** Maximum age of stale entries in an outage; 0 by default. */
  graceMs?: number | undefined;
  /** Precedes the lookup of an uncached key, perhaps a guess. */
  beforeGuess?: () => Promise<void>;
};

type Entry<T> = { value: T; verifiedAtMs: number };

/**
 * Positive results only. `fetchMethod` of `LRUCache` would let unknown keys evict verified ones.
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

  /** In an outage entries verified within `graceMs`, else throws `unavailable`. */
  async get(
    key: string,
    verify: () => Promise<T | null>,
    { graceMs = 0, beforeGuess }: LookupOptions = {},
  ): Promise<T | null> {
    const entry = this.entries.get(key);
    if (!entry && beforeGuess) await beforeGuess();
    const ageMs = entry ? this.nowMs() - entry.verifiedAtMs : Number.POSITIVE_INFINITY;
    if (entry && ageMs < FRESH_MS) return entry.value;
    const lookup = this.once(key, () => this.verifyAndCache(key, verify));
    return entry && ageMs < graceMs ? this.preferFresh(lookup, entry.value) : lookup;
  }

  forget(matches: (value: T) => boolean): void {
    this.generation += 1;
    for (const [key, entry] of [...this.entries.entries()]) {
      if (matches(entry.value)) this.entries.delete(key);
    }
  }

  private async preferFresh(lookup: Promise<T | null>, stale: T): Promise<T | null> {
    const serveStale = () => {
      this.awayUntilMs = this.nowMs() + AWAY_MS;
      return stale;
    };
    const fresh = lookup.catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'unavailable') return serveStale();
      throw thrown;
    });
    if (this.nowMs() >= this.awayUntilMs) return withTimeout(fresh, STALE_AFTER_MS, serveStale);
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
    // It may return dropped values.
    const keep = value !== null && generation === this.generation;
    if (keep) this.entries.set(key, { value, verifiedAtMs });
    else this.entries.delete(key);
    return value;
  }

  /** Timed-out lookups count as pending. */
  private async lookUp(verify: () => Promise<T | null>): Promise<T | null> {
    if (this.pending >= MAX_PENDING) throw unavailable();
    const work = verify();
    return withTimeout(work, LOOKUP_LIMIT_MS, () => {
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
