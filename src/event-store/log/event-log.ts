import { rm } from 'node:fs/promises';
import { at } from '../../shared/assert.ts';
import { AppError, type AppErrorOptions, errorMessage } from '../../shared/errors.ts';
import { OncePerMinute } from '../../shared/once-per-minute.ts';
import { makeFolder } from '../../storage/files.ts';
import type { Reporter } from '../store.ts';
import { IMPORT_KEY, nextArrival } from './arrival.ts';
import { SegmentOwner } from './owner.ts';
import { encodeRecord, type RecordHeader } from './record.ts';
import { type OpenSegmentFile, openSegmentFile, type SegmentFileHandle } from './segment-file.ts';
import { listSegments, segmentName, segmentOwner, segmentPath } from './segments.ts';

export type EventLogOptions = {
  dir: string;
  log: Reporter;
  maxSegmentBytes?: number;
  maxSegmentAgeMs?: number;
  maxWaitingBytes?: number;
  openFile?: OpenSegmentFile;
  onSealed?: () => void;
};

export type NewRecord = Omit<RecordHeader, 'v' | 'arrival'> & { body: Uint8Array };

type WaitingRecord = {
  bytes: Uint8Array;
  takenAtMs: number;
  resolve: () => void;
  reject: (error: Error) => void;
};
type Segment = { id: string; file: SegmentFileHandle; bytes: number; openedAt: number };

const MAX_GROUP_BYTES = 4 * 1024 * 1024;

export function cannotStore(options: AppErrorOptions): AppError {
  return new AppError('unavailable', 'Events cannot be stored at the moment.', {
    hint: 'Keep the batch and send it again.',
    retryAfterSeconds: 5,
    ...options,
  });
}

/** One write and one fdatasync for all waiting records, on Bun's thread pool. */
export class EventLog {
  private readonly options: Required<EventLogOptions>;
  private owner: SegmentOwner;
  private segment: Segment | null = null;
  private nextNumber = 1;
  private waiting: WaitingRecord[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  private readonly abandoned: { segment: Segment; owner: SegmentOwner }[] = [];
  private lastArrival = 0;
  private readonly failures = new OncePerMinute();
  private readonly firstTakenAtMs = new Map<string, number>();
  private writingSinceMs: number | null = null;
  private readonly ageTimer: Timer;

  private constructor(options: Required<EventLogOptions>, owner: SegmentOwner) {
    this.options = options;
    this.owner = owner;
    this.ageTimer = setInterval(() => this.tick(), options.maxSegmentAgeMs / 4);
    this.ageTimer.unref();
  }

  static async open(given: EventLogOptions): Promise<EventLog> {
    const options = {
      maxSegmentBytes: 8 * 1024 * 1024,
      maxSegmentAgeMs: 1_000,
      maxWaitingBytes: 64 * 1024 * 1024,
      openFile: openSegmentFile,
      onSealed: () => undefined,
      ...given,
    };
    makeFolder(options.dir);
    return new EventLog(options, await SegmentOwner.claim(options.dir));
  }

  /** Throws `unavailable` unless durable; then no part is ever read. */
  append({ body, ...header }: NewRecord): Promise<void> {
    if (this.closed || this.waitingBytes > this.options.maxWaitingBytes) {
      const cause = new Error('The log is closed or full of waiting batches.');
      return Promise.reject(cannotStore({ cause }));
    }
    const arrival = this.nextArrival(header.key === IMPORT_KEY);
    const bytes = encodeRecord({ v: 1, ...header, arrival }, body);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.waiting.push({ bytes, takenAtMs: performance.now(), resolve, reject });
    this.waitingBytes += bytes.length;
    this.start();
    return promise;
  }

  private nextArrival(isImported: boolean): number {
    const nowUs = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
    this.lastArrival = nextArrival(this.lastArrival, nowUs, isImported);
    return this.lastArrival;
  }

  private start(): void {
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.waiting.length > 0) this.start();
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.commit(this.takeGroup());
      if (this.isDue(this.options.maxSegmentBytes)) await this.rotate();
    }
  }

  private takeGroup(): WaitingRecord[] {
    let bytes = 0;
    let count = 0;
    for (const { bytes: record } of this.waiting) {
      if (count > 0 && bytes + record.length > MAX_GROUP_BYTES) break;
      bytes += record.length;
      count += 1;
    }
    this.waitingBytes -= bytes;
    return this.waiting.splice(0, count);
  }

  private async commit(group: WaitingRecord[]): Promise<void> {
    const takenAtMs = at(group, 0).takenAtMs;
    this.writingSinceMs = takenAtMs;
    try {
      this.segment ??= await this.openSegment();
      const { segment } = this;
      const bytes = Buffer.concat(group.map((waiting) => waiting.bytes));
      await segment.file.append(bytes);
      await segment.file.sync();
      if (!(await this.owner.holds())) throw new Error('The claim on the segments has expired.');
      segment.bytes += bytes.length;
      if (!this.firstTakenAtMs.has(segment.id)) this.firstTakenAtMs.set(segment.id, takenAtMs);
      for (const waiting of group) waiting.resolve();
    } catch (error) {
      const refusal = cannotStore({ cause: error });
      for (const waiting of group) waiting.reject(refusal);
      await this.abandon(error);
    } finally {
      this.writingSinceMs = null;
    }
  }

  /** `sinceMs` (`performance.now()`): all before it is compacted. */
  async uncompacted(): Promise<{ ownerIds: string[]; sinceMs: number }> {
    const nowMs = performance.now();
    const known = [...this.firstTakenAtMs.keys()];
    const there = new Set((await listSegments(this.options.dir)).map((one) => one.segmentId));
    for (const id of known) if (!there.has(id)) this.firstTakenAtMs.delete(id);
    const [oldest = nowMs] = this.firstTakenAtMs.values();
    const [next] = this.waiting;
    const owners = new Set([...this.firstTakenAtMs.keys()].map(segmentOwner));
    if (!this.closed) owners.add(this.owner.id);
    return {
      ownerIds: [...owners],
      sinceMs: Math.min(nowMs, oldest, this.writingSinceMs ?? nowMs, next?.takenAtMs ?? nowMs),
    };
  }

  private async claimAnew(): Promise<void> {
    this.owner = await SegmentOwner.claim(this.options.dir);
    this.nextNumber = 1;
  }

  private async openSegment(): Promise<Segment> {
    // A further segment would seal the one still to be truncated.
    if (this.abandoned.some(({ owner }) => owner === this.owner)) await this.claimAnew();
    const id = segmentName(this.owner.id, this.nextNumber);
    this.nextNumber += 1;
    const file = await this.options.openFile(this.options.dir, id);
    return { id, file, bytes: 0, openedAt: performance.now() };
  }

  /** Never writes the file again: after a failed fsync the next may report success. */
  private async abandon(cause: unknown): Promise<void> {
    const { segment, owner } = this;
    const unsaid = this.failures.take('write', performance.now());
    if (unsaid !== null) {
      const fields = { segment: segment?.id, err: errorMessage(cause), unsaid };
      this.options.log.error(fields, 'event log write failed');
    }
    if (segment === null) return;
    this.segment = null;
    this.abandoned.push({ segment, owner });
    // Lets the old claim be released after truncation.
    await this.claimAnew().catch(() => undefined);
    await this.truncateAbandoned();
  }

  /** Nobody may read refused records. */
  private async truncateAbandoned(): Promise<void> {
    for (const failed of [...this.abandoned]) {
      try {
        await failed.segment.file.truncate(failed.segment.bytes);
        await failed.segment.file.close();
        if (failed.owner !== this.owner) await failed.owner.release();
        this.abandoned.splice(this.abandoned.indexOf(failed), 1);
      } catch (error) {
        this.options.log.error(
          { segment: failed.segment.id, err: errorMessage(error) },
          'abandoned event log segment could not be truncated; retrying',
        );
      }
    }
  }

  private isDue(maxBytes: number): boolean {
    if (this.segment === null || this.segment.bytes === 0) return false;
    const age = performance.now() - this.segment.openedAt;
    return this.segment.bytes >= maxBytes || age >= this.options.maxSegmentAgeMs;
  }

  private tick(): void {
    const due = this.isDue(this.options.maxSegmentBytes);
    if (this.running || (!due && this.abandoned.length === 0)) return;
    this.running = (due ? this.rotate() : this.truncateAbandoned()).finally(() => {
      this.running = null;
      if (this.waiting.length > 0) this.start();
    });
  }

  /** The next segment's existence seals this one, even if opening it failed. */
  private async rotate(): Promise<void> {
    const old = this.segment;
    this.segment = null;
    try {
      this.segment = await this.openSegment();
    } catch (error) {
      this.options.log.error({ err: errorMessage(error) }, 'event log could not be rotated');
    }
    await old?.file.close().catch(() => undefined);
    this.options.onSealed();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.ageTimer);
    while (this.running) await this.running;
    const segment = this.segment;
    this.segment = null;
    await segment?.file.close();
    await this.truncateAbandoned();
    for (const failed of this.abandoned) await failed.segment.file.close().catch(() => undefined);
    if (segment?.bytes === 0) await rm(segmentPath(this.options.dir, segment.id), { force: true });
    await this.owner.release();
  }
}
