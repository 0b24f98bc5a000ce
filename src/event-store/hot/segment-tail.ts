import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createTurns } from '../../shared/turns.ts';
import { isMissing } from '../../storage/files.ts';
import type { EventRow } from '../event/columns.ts';
import { normalizeBatch } from '../event/normalize.ts';
import { type RecordHeader, scanRecords } from '../log/record.ts';
import type { SegmentFile } from '../log/segments.ts';

/** Lets one app's batches be read alone. */
type Batch = { header: RecordHeader; offset: number; bytes: number };

type Parsed = { batches: number; rows: EventRow[] };

const READ_BYTES = 4 * 1024 * 1024;

/** One read costs less than thousands of small ones. Of a truncated file, what is left. */
async function readRows(file: FileHandle, batches: readonly Batch[]): Promise<Parsed> {
  const first = batches[0];
  const last = batches.at(-1);
  if (!first || !last) return { batches: 0, rows: [] };
  const bytes = Buffer.allocUnsafe(last.offset + last.bytes - first.offset);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, first.offset);
  const endsAt = first.offset + bytesRead;
  const whole = batches.filter((batch) => batch.offset + batch.bytes <= endsAt);
  const rows: EventRow[] = [];
  const turns = createTurns();
  for (const { header, offset, bytes: length } of whole) {
    const start = offset - first.offset;
    try {
      rows.push(...normalizeBatch({ header, body: bytes.subarray(start, start + length) }));
    } catch {
      // Compaction quarantines and reports it.
    }
    if (turns.isOver()) await turns.next();
  }
  return { batches: whole.length, rows };
}

/** Bodies stay on disk until a query needs their app. */
export class SegmentTail {
  private scanned = 0;
  private readonly batches = new Map<string, Batch[]>();
  private parsed = new Map<string, Parsed>();
  private readonly reading = new Map<string, Promise<EventRow[] | null>>();

  constructor(readonly segment: SegmentFile) {}

  bytesOf(appId: string): number {
    return this.batches.get(appId)?.reduce((sum, batch) => sum + batch.bytes, 0) ?? 0;
  }

  firstReceivedAt(appId: string): Date | null {
    const first = this.batches.get(appId)?.[0];
    return first ? new Date(first.header.receivedAt) : null;
  }

  /** One after the other. */
  async rowsOf(appId: string): Promise<EventRow[] | null> {
    const before = this.reading.get(appId) ?? Promise.resolve(null);
    const read = () => this.readFresh(appId);
    const reading = before.then(read, read);
    this.reading.set(appId, reading);
    return await reading.finally(() => {
      if (this.reading.get(appId) === reading) this.reading.delete(appId);
    });
  }

  private async readFresh(appId: string): Promise<EventRow[] | null> {
    // A segment truncated meanwhile is dropped.
    const { parsed: kept } = this;
    const batches = this.batches.get(appId) ?? [];
    const parsed = kept.get(appId) ?? { batches: 0, rows: [] };
    const fresh = batches.slice(parsed.batches);
    if (fresh.length === 0) return parsed.rows;
    const read = await this.withFile((file) => readRows(file, fresh));
    if (read === null) return null;
    const rows = [...parsed.rows, ...read.rows];
    kept.set(appId, { batches: parsed.batches + read.batches, rows });
    return rows;
  }

  evict(appId: string): void {
    this.parsed.delete(appId);
  }

  /** False when the segment was deleted, hence catalogued. */
  async advance(): Promise<boolean> {
    // `stat` costs less than an await.
    const size = statSync(this.segment.path, { throwIfNoEntry: false })?.size ?? null;
    if (size === null || size === this.scanned) return size !== null;
    const done = await this.withFile(async (file) => {
      // A refused batch was truncated.
      if (size < this.scanned) this.reset();
      while (this.scanned < size) {
        const length = Math.min(size - this.scanned, READ_BYTES);
        const bytes = Buffer.allocUnsafe(length);
        const { bytesRead } = await file.read(bytes, 0, length, this.scanned);
        if (this.index(bytes.subarray(0, bytesRead)) === 0) break;
      }
      return true;
    });
    return done !== null;
  }

  private async withFile<T>(use: (file: FileHandle) => Promise<T>): Promise<T | null> {
    try {
      const file = await open(this.segment.path, 'r');
      try {
        return await use(file);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private reset(): void {
    this.scanned = 0;
    this.batches.clear();
    this.parsed = new Map();
  }

  private index(bytes: Buffer): number {
    const { records, goodBytes } = scanRecords(bytes);
    for (const { header, body } of records) {
      const offset = this.scanned + (body.byteOffset - bytes.byteOffset);
      const batches = this.batches.get(header.app) ?? [];
      batches.push({ header, offset, bytes: body.length });
      this.batches.set(header.app, batches);
    }
    this.scanned += goodBytes;
    return goodBytes;
  }
}
