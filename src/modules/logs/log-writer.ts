import type { Logger } from '../../observability/log.ts';
import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { TimeoutError, withTimeout } from '../../shared/timeout.ts';
import { countIds, MAX_NAMED } from './people.ts';
import type { LogRecord } from './record.ts';
import { LogRings, type RingEntry, type RingEntryState, type RingLimits } from './ring.ts';

export type LogWriterOptions = {
  /** Idempotent. */
  write: (records: readonly LogRecord[]) => Promise<void>;
  isAway: (thrown: unknown) => boolean;
  log: Logger;
  limits?: RingLimits;
  /** Called for each lost entry. */
  onDropped?: () => void;
  retryMs?: number;
  writeLimitMs?: number;
};

const DEFAULT_LIMITS: RingLimits = {
  entriesPerOrg: 20_000,
  bytesPerOrg: 16 * 1024 * 1024,
  bytesInAll: 64 * 1024 * 1024,
};
const BATCH_ENTRIES = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Past this, `append` resolves during the write. */
const SLOW_WRITE_MS = SECOND_MS;
const FIRST_RETRY_MS = SECOND_MS / 4;
const LONGEST_RETRY_MS = 5 * SECOND_MS;
const CLOSE_LIMIT_MS = 3 * SECOND_MS;
/** A hanging write is retried after this. */
const WRITE_LIMIT_MS = 10 * SECOND_MS;
/** More, for each person named: apps that erased somebody are many. */
const LOOK_UP_LIMIT_MS = 60;

type Waiting = { held: RingEntry; resolve: () => void };

/** Entries gather during a write: a thousand cost one round trip. */
export class LogWriter {
  private readonly rings: LogRings;
  private readonly closing = new AbortController();
  private queue: Waiting[] = [];
  private running: Promise<void> | null = null;
  private isStuck = false;

  constructor(private readonly options: LogWriterOptions) {
    this.rings = new LogRings(options.limits ?? DEFAULT_LIMITS, options.onDropped);
  }

  held(orgId: string): LogRecord[] {
    return this.rings.of(orgId);
  }

  /** Writes wait in memory. */
  get isBehind(): boolean {
    return this.isStuck;
  }

  dropped(orgId: string): number {
    return this.rings.dropped(orgId);
  }

  /** Resolves once stored, or in memory during an outage. */
  async append(record: LogRecord): Promise<RingEntryState> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = this.rings.add(record);
    this.queue.push({ held, resolve });
    if (this.isStuck) resolve();
    this.start();
    await promise;
    return held.state;
  }

  async flush(): Promise<void> {
    if (!this.isStuck) await Promise.race([this.running, sleep(SLOW_WRITE_MS)]);
  }

  async close(limitMs = CLOSE_LIMIT_MS): Promise<void> {
    const limit = sleep(limitMs);
    this.closing.abort();
    await Promise.race([this.running, limit]);
    if (this.queue.length > 0) await Promise.race([this.writeAll(), limit]);
    const left = this.queue.filter(({ held }) => held.state === 'waiting').length;
    if (left > 0) this.options.log.error({ entries: left }, 'log entries lost at shutdown');
  }

  private isAway(thrown: unknown): boolean {
    return thrown instanceof TimeoutError || this.options.isAway(thrown);
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
    let ids = 0;
    let count = 0;
    for (const { held } of this.queue) {
      bytes += held.bytes;
      ids += countIds(held.record.people);
      const isFull = bytes > BATCH_BYTES || ids > MAX_NAMED;
      if (count === BATCH_ENTRIES || (count > 0 && isFull)) break;
      count += 1;
    }
    return this.queue.slice(0, count);
  }

  private settle(batch: readonly Waiting[]): void {
    if (this.isStuck) this.options.log.info('log entries are being written again');
    this.isStuck = false;
    this.queue = this.queue.slice(batch.length);
    for (const waiting of batch) waiting.resolve();
  }

  private hold(thrown: unknown): void {
    if (!this.isStuck) {
      this.options.log.warn(
        { err: errorMessage(thrown) },
        'log entries wait in memory; the write will be retried',
      );
    }
    this.release();
    this.queue = this.queue.filter(({ held }) => held.state === 'waiting');
  }

  private release(): void {
    this.isStuck = true;
    for (const waiting of this.queue) waiting.resolve();
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const slow = setTimeout(() => this.release(), SLOW_WRITE_MS);
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
      const named = records.reduce((sum, { people }) => sum + countIds(people), 0);
      const limitMs = (this.options.writeLimitMs ?? WRITE_LIMIT_MS) + named * LOOK_UP_LIMIT_MS;
      await withTimeout(this.options.write(records), limitMs);
    }
    for (const { held } of waiting) if (held.state === 'waiting') held.state = 'written';
  }

  /** Isolates a record that the database rejects. */
  private async writeOneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) {
      try {
        await this.writeWaiting([waiting]);
      } catch (thrown) {
        if (this.isAway(thrown)) throw thrown;
        this.rings.drop(waiting.held);
        this.options.log.error({ err: errorMessage(thrown) }, 'log entry could not be stored');
      }
    }
  }
}
