import type { Logger } from '../../observability/log.ts';
import { messageOf } from '../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { TimeLimitError, withTimeLimit } from '../../shared/time-limit.ts';
import type { LogRecord } from './record.ts';
import { type Held, LogRings, type RingLimits } from './ring.ts';

export type LogBookOptions = {
  /** Stores the records; again with the same ones must change nothing. */
  write: (records: readonly LogRecord[]) => Promise<void>;
  /** True when the write failed because the database is away. */
  isAway: (thrown: unknown) => boolean;
  log: Logger;
  limits?: RingLimits;
  retryMs?: number;
  writeLimitMs?: number;
};

export type LogBook = {
  /**
   * Takes an entry. Resolves when it is stored; while the database is away or slow, when it is held
   * in memory.
   */
  append: (record: LogRecord) => Promise<void>;
  /** What memory holds of the organization, newest first. */
  held: (orgId: string) => LogRecord[];
  /** How many entries of the organization were lost. */
  dropped: (orgId: string) => number;
  /** Resolves when everything taken so far is stored, or cannot be for now. */
  flush: () => Promise<void>;
  /** Writes what is held, for at most `limitMs`; nothing may be appended afterwards. */
  close: (limitMs?: number) => Promise<void>;
};

const DEFAULT_LIMITS: RingLimits = {
  entriesPerOrg: 20_000,
  bytesPerOrg: 16 * 1024 * 1024,
  bytesInAll: 64 * 1024 * 1024,
};
const BATCH_ENTRIES = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** A database slower than this counts as away for whoever waits. */
const PATIENCE_MS = SECOND_MS;
const FIRST_RETRY_MS = SECOND_MS / 4;
const LONGEST_RETRY_MS = 5 * SECOND_MS;
/** Under the time that a process has to drain. */
const CLOSE_LIMIT_MS = 3 * SECOND_MS;
/** A write that hangs longer is tried again: the same records change nothing. */
const WRITE_LIMIT_MS = 10 * SECOND_MS;

type Waiting = { held: Held; resolve: () => void };

/**
 * Writes entries in batches: while one batch is on its way the next one gathers, so a single entry
 * is stored at once and a thousand cost one round trip.
 */
export function createLogBook(options: LogBookOptions): LogBook {
  const rings = new LogRings(options.limits ?? DEFAULT_LIMITS);
  const writer = new LogWriter(options, rings);
  return {
    append: (record) => writer.append(record),
    held: (orgId) => rings.of(orgId),
    dropped: (orgId) => rings.dropped(orgId),
    flush: () => writer.flush(),
    close: (limitMs = CLOSE_LIMIT_MS) => writer.close(limitMs),
  };
}

class LogWriter {
  private readonly closing = new AbortController();
  private queue: Waiting[] = [];
  private running: Promise<void> | null = null;
  /** Nobody waits while this is true: entries are held in memory for now. */
  private isStuck = false;

  constructor(
    private readonly options: LogBookOptions,
    private readonly rings: LogRings,
  ) {}

  append(record: LogRecord): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.queue.push({ held: this.rings.add(record), resolve });
    if (this.isStuck) resolve();
    this.start();
    return promise;
  }

  async flush(): Promise<void> {
    if (!this.isStuck) await Promise.race([this.running, sleep(PATIENCE_MS)]);
  }

  async close(limitMs: number): Promise<void> {
    const limit = sleep(limitMs);
    this.closing.abort();
    await Promise.race([this.running, limit]);
    if (this.queue.length > 0) await Promise.race([this.writeAll(), limit]);
    const left = this.queue.filter(({ held }) => held.state === 'waiting').length;
    if (left > 0) this.options.log.error({ entries: left }, 'Log entries were lost at the end');
  }

  private isAway(thrown: unknown): boolean {
    return thrown instanceof TimeLimitError || this.options.isAway(thrown);
  }

  private start(): void {
    this.running ??= this.writeAll().finally(() => {
      this.running = null;
      if (this.queue.length > 0 && !this.closing.signal.aborted) this.start();
    });
  }

  private async writeAll(): Promise<void> {
    let retryMs = this.options.retryMs ?? FIRST_RETRY_MS;
    while (this.queue.length > 0) {
      const batch = this.nextBatch();
      try {
        await this.writeBatch(batch);
        this.settle(batch);
        retryMs = this.options.retryMs ?? FIRST_RETRY_MS;
      } catch (thrown) {
        this.hold(thrown);
        if (this.closing.signal.aborted) return;
        await sleep(retryMs, this.closing.signal);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
  }

  private nextBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { held } of this.queue) {
      if (count === BATCH_ENTRIES || (count > 0 && bytes + held.bytes > BATCH_BYTES)) break;
      bytes += held.bytes;
      count += 1;
    }
    return this.queue.slice(0, count);
  }

  private settle(batch: readonly Waiting[]): void {
    if (this.isStuck) this.options.log.info('Log entries are written again');
    this.isStuck = false;
    this.queue = this.queue.slice(batch.length);
    for (const waiting of batch) waiting.resolve();
  }

  private hold(thrown: unknown): void {
    if (!this.isStuck) {
      this.options.log.warn({ err: messageOf(thrown) }, 'Log entries wait in memory');
    }
    this.release();
    this.queue = this.queue.filter(({ held }) => held.state === 'waiting');
  }

  private release(): void {
    this.isStuck = true;
    for (const waiting of this.queue) waiting.resolve();
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const slow = setTimeout(() => this.release(), PATIENCE_MS);
    try {
      await this.writeWaiting(batch);
    } catch (thrown) {
      if (this.isAway(thrown)) throw thrown;
      await this.writeOneByOne(batch);
    } finally {
      clearTimeout(slow);
    }
  }

  private async writeWaiting(batch: readonly Waiting[]): Promise<void> {
    const waiting = batch.filter(({ held }) => held.state === 'waiting');
    if (waiting.length > 0) {
      const records = waiting.map(({ held }) => held.record);
      await withTimeLimit(this.options.write(records), this.options.writeLimitMs ?? WRITE_LIMIT_MS);
    }
    for (const { held } of waiting) if (held.state === 'waiting') held.state = 'written';
  }

  /** A record that the database refuses must not hold up the others. */
  private async writeOneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const each of batch) {
      try {
        await this.writeWaiting([each]);
      } catch (thrown) {
        if (this.isAway(thrown)) throw thrown;
        this.rings.drop(each.held);
        this.options.log.error({ err: messageOf(thrown) }, 'A log entry could not be stored');
      }
    }
  }
}

declare module '../../context.ts' {
  interface Deps {
    logBook: LogBook;
  }
}
