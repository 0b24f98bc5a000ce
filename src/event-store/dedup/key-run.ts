import { type FileHandle, open } from 'node:fs/promises';

/** A key is the 16 bytes of an event's identity; a run is a file of them, sorted, and nothing else. */
export const KEY_BYTES = 16;
const PREFIX_BYTES = 6;
const PREFIX_LIMIT = 2 ** (PREFIX_BYTES * 8);
const OUTPUT_BYTES = 1024 * 1024;

/** Sorted and without repeats, as the file holds them. */
export function packKeys(hexKeys: Iterable<string>): Buffer {
  return Buffer.from([...new Set(hexKeys)].sort().join(''), 'hex');
}

/** One run, mapped into memory: the kernel reads the pages that are used. */
export class KeyRun {
  readonly count: number;
  private readonly view: DataView;

  private constructor(readonly bytes: Buffer) {
    this.count = bytes.length / KEY_BYTES;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  static open(path: string): KeyRun {
    const mapped = Bun.mmap(path);
    return KeyRun.of(Buffer.from(mapped.buffer, mapped.byteOffset, mapped.byteLength));
  }

  static of(bytes: Buffer): KeyRun {
    if (bytes.length % KEY_BYTES !== 0) throw new Error('A key run is not a whole number of keys.');
    return new KeyRun(bytes);
  }

  /** The first six bytes as a number, which tells nearly all keys apart. */
  prefixAt(index: number): number {
    const start = index * KEY_BYTES;
    return this.view.getUint32(start) * 0x1_00_00 + this.view.getUint16(start + 4);
  }

  compareAt(index: number, key: Buffer): number {
    const start = index * KEY_BYTES;
    return this.bytes.compare(key, 0, KEY_BYTES, start, start + KEY_BYTES);
  }

  keyAt(index: number): Buffer {
    return this.bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
  }

  /** The keys that are in `others` too. */
  *in(others: readonly KeyRun[]): Generator<Buffer> {
    for (let index = 0; index < this.count; index += 1) {
      const prefix = this.prefixAt(index);
      const key = this.keyAt(index);
      if (others.some((other) => other.holds(key, prefix))) yield key;
    }
  }

  private holds(key: Buffer, prefix: number): boolean {
    let index = this.firstFrom(prefix);
    for (; index < this.count && this.prefixAt(index) === prefix; index += 1) {
      if (this.compareAt(index, key) === 0) return true;
    }
    return false;
  }

  /**
   * The index of the first key from the prefix on. Keys are hashes and so evenly spread:
   * interpolation lands within a few entries, whatever the size.
   */
  private firstFrom(prefix: number): number {
    const guess = Math.min(this.count, Math.floor((prefix / PREFIX_LIMIT) * this.count));
    let low = guess;
    for (let step = 8; low > 0 && this.prefixAt(low - 1) >= prefix; step *= 2) {
      low = Math.max(0, low - step);
    }
    let high = guess;
    for (let step = 8; high < this.count && this.prefixAt(high) < prefix; step *= 2) {
      high = Math.min(this.count, high + step);
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.prefixAt(middle) < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Writes through one buffer, so that a run of any size takes little memory. */
class RunWriter {
  private readonly buffer = Buffer.allocUnsafe(OUTPUT_BYTES);
  private used = 0;
  count = 0;

  constructor(private readonly file: FileHandle) {}

  get isFull(): boolean {
    return this.used === this.buffer.length;
  }

  push(key: Buffer): void {
    key.copy(this.buffer, this.used);
    this.used += KEY_BYTES;
    this.count += 1;
  }

  async flush(): Promise<void> {
    if (this.used > 0) await this.file.writeFile(this.buffer.subarray(0, this.used));
    this.used = 0;
  }
}

/** The next key of a run. */
type Cursor = { run: KeyRun; position: number; prefix: number };

function isBefore(a: Cursor, b: Cursor): boolean {
  if (a.prefix !== b.prefix) return a.prefix < b.prefix;
  return a.run.compareAt(a.position, b.run.keyAt(b.position)) < 0;
}

/**
 * Merges runs into one file at `path`; a key of several runs is kept once. Yields to the event loop
 * after each megabyte. Returns the number of keys.
 */
export async function mergeKeyRuns(runs: readonly KeyRun[], path: string): Promise<number> {
  const file = await open(path, 'w', 0o600);
  const writer = new RunWriter(file);
  let cursors = runs
    .filter(({ count }) => count > 0)
    .map((run): Cursor => ({ run, position: 0, prefix: run.prefixAt(0) }));
  let last: Buffer | null = null;
  try {
    for (;;) {
      let next: Cursor | null = null;
      for (const cursor of cursors) if (next === null || isBefore(cursor, next)) next = cursor;
      if (next === null) break;
      const key = next.run.keyAt(next.position);
      next.position += 1;
      if (next.position < next.run.count) next.prefix = next.run.prefixAt(next.position);
      else cursors = cursors.filter((cursor) => cursor !== next);
      if (last?.equals(key)) continue;
      if (writer.isFull) await writer.flush();
      writer.push(key);
      last = key;
    }
    await writer.flush();
  } finally {
    await file.close();
  }
  return writer.count;
}
