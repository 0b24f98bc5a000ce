import { readFile, stat } from 'node:fs/promises';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { SEGMENT_COPIES, segmentCopyName, toSegmentId } from '../objects/names.ts';
import type { OwnedObjectStore, Reporter } from '../store.ts';
import { FailureLog } from './failure-log.ts';
import { listSegments, type SegmentFile, sealedSegments } from './segments.ts';

const PUTS_AT_ONCE = 4;
/** Polled, since dead processes announce nothing. */
const LOOK_EVERY_MS = SECOND_MS;

export type ShipperOptions = {
  objects: ObjectStore & Partial<Pick<OwnedObjectStore, 'confirmOwner'>>;
  logDir: string;
  log: Reporter;
  /** Younger segments are left to their writer. */
  minAgeMs?: number;
};

export type Exposure = {
  segments: number;
  bytes: number;
  seconds: number;
};

export class SegmentShipper {
  private readonly shipped = new Set<string>();
  private readonly puts = new Map<string, Promise<void>>();
  private readonly places = limitConcurrency(PUTS_AT_ONCE);
  private called = new AbortController();
  private learned: Promise<ReadonlySet<string>> | null = null;
  private readonly faults: FailureLog;

  constructor(private readonly options: ShipperOptions) {
    this.faults = new FailureLog(options.log, {
      failed: 'event log segments could not be copied to the bucket; retrying',
      works: 'event log segments are copied to the bucket again',
    });
  }

  private get sealsSegments(): boolean {
    return !this.options.minAgeMs;
  }

  call(): void {
    this.called.abort();
  }

  noteShipped(segmentId: string): void {
    this.shipped.add(segmentId);
  }

  async ship(): Promise<number> {
    const { objects, logDir } = this.options;
    if (!objects.isRemote) return 0;
    const due = await this.due();
    if (due.length > 0) await this.note(due);
    const missing = due.filter(({ segmentId }) => !this.shipped.has(segmentId));
    const puts = await Promise.allSettled(missing.map((segment) => this.putOnce(segment)));
    const failed = puts.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    const present = new Set((await listSegments(logDir)).map(({ segmentId }) => segmentId));
    for (const id of this.shipped) if (!present.has(id)) this.shipped.delete(id);
    return missing.length;
  }

  /** Independent of other dependencies; retries failures. */
  async shipForever(signal: AbortSignal): Promise<void> {
    if (!this.options.objects.isRemote) return;
    // Warmed up, so that the first segment waits for neither.
    if (this.sealsSegments) this.learnOnce().catch(() => undefined);
    this.options.objects.confirmOwner?.().catch(() => undefined);
    const rounds = new Set<Promise<void>>();
    while (!signal.aborted) {
      this.called = new AbortController();
      // Newly sealed segments ship beside a slow PUT.
      const round = this.shipRound().finally(() => rounds.delete(round));
      rounds.add(round);
      // Calls do not shorten the wait after a failure.
      const cut = this.faults.isFailing ? signal : AbortSignal.any([signal, this.called.signal]);
      await sleep(LOOK_EVERY_MS, cut);
    }
    await Promise.all(rounds);
  }

  private async shipRound(): Promise<void> {
    try {
      await this.ship();
      this.faults.worked();
    } catch (error) {
      this.faults.failed(error);
    }
  }

  async exposure(): Promise<Exposure> {
    const exposed: Exposure = { segments: 0, bytes: 0, seconds: 0 };
    // The system clock, since the file system uses it.
    const nowMs = Date.now();
    for (const segment of await listSegments(this.options.logDir)) {
      if (this.shipped.has(segment.segmentId)) continue;
      const info = await stat(segment.path).catch(() => null);
      if (!info || info.size === 0) continue;
      exposed.segments += 1;
      exposed.bytes += info.size;
      exposed.seconds = Math.max(exposed.seconds, (nowMs - info.mtimeMs) / SECOND_MS);
    }
    return exposed;
  }

  private async due(): Promise<SegmentFile[]> {
    const { logDir, minAgeMs = 0 } = this.options;
    const due: SegmentFile[] = [];
    for (const segment of await sealedSegments(logDir)) {
      if (this.shipped.has(segment.segmentId)) continue;
      const info = await stat(segment.path).catch(() => null);
      if (info && info.size > 0 && Date.now() - info.mtimeMs >= minAgeMs) due.push(segment);
    }
    return due;
  }

  private async note(due: readonly SegmentFile[]): Promise<void> {
    const there = await (this.sealsSegments ? this.learnOnce() : this.list());
    for (const { segmentId } of due) if (there.has(segmentId)) this.shipped.add(segmentId);
  }

  private learnOnce(): Promise<ReadonlySet<string>> {
    this.learned ??= this.list().catch((error: unknown) => {
      this.learned = null;
      throw error;
    });
    return this.learned;
  }

  private async list(): Promise<ReadonlySet<string>> {
    const { objects } = this.options;
    return new Set((await objects.list(SEGMENT_COPIES)).map(({ key }) => toSegmentId(key)));
  }

  private putOnce(segment: SegmentFile): Promise<void> {
    const { segmentId } = segment;
    const begun = this.puts.get(segmentId);
    if (begun) return begun;
    const put = this.places(() => this.put(segment)).finally(() => this.puts.delete(segmentId));
    this.puts.set(segmentId, put);
    return put;
  }

  private async put({ segmentId, path }: SegmentFile): Promise<void> {
    // Null once compacted.
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null) return;
    await this.options.objects.putBytes(segmentCopyName(segmentId), bytes);
    this.shipped.add(segmentId);
  }
}
