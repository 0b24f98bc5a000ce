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

/** One run, mapped into memory: the kernel reads the pages that are looked at. */
export class KeyRun {
  readonly count: number;

  private constructor(private readonly bytes: Buffer) {
    this.count = bytes.length / KEY_BYTES;
  }

  static open(path: string): KeyRun {
    const mapped = Bun.mmap(path);
    return KeyRun.of(Buffer.from(mapped.buffer, mapped.byteOffset, mapped.byteLength));
  }

  static of(bytes: Buffer): KeyRun {
    if (bytes.length % KEY_BYTES !== 0) throw new Error('A key run is not a whole number of keys.');
    return new KeyRun(bytes);
  }

  prefixAt(index: number): number {
    return this.bytes.readUIntBE(index * KEY_BYTES, PREFIX_BYTES);
  }

  compareAt(index: number, key: Buffer): number {
    const start = index * KEY_BYTES;
    return this.bytes.compare(key, 0, KEY_BYTES, start, start + KEY_BYTES);
  }

  keyAt(index: number): Buffer {
    return this.bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
  }

  /**
   * Whether the key is in the run. Keys are hashes and so evenly spread: a straight line from first
   * to last lands within a few entries of the place, whatever the size.
   */
  has(key: Buffer): boolean {
    const prefix = key.readUIntBE(0, PREFIX_BYTES);
    const guess = Math.min(this.count - 1, Math.floor((prefix / PREFIX_LIMIT) * this.count));
    if (this.count === 0) return false;
    let [low, high] = this.around(guess, prefix);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compareAt(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.compareAt(low, key) === 0;
  }

  /** Bounds `[low, high]` that hold the place of the prefix, found in doubling steps from a guess. */
  private around(guess: number, prefix: number): [number, number] {
    let step = 8;
    let low = guess;
    while (low > 0 && this.prefixAt(low) >= prefix) {
      low = Math.max(0, low - step);
      step *= 2;
    }
    step = 8;
    let high = guess;
    while (high < this.count && this.prefixAt(high) <= prefix) {
      high = Math.min(this.count, high + step);
      step *= 2;
    }
    return [low, high];
  }
}

/** Writes through one buffer, so that a run of any size needs little memory. */
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

/** Index of the run with the smallest next key, or -1 when all are read to the end. */
function smallest(runs: readonly KeyRun[], at: readonly number[]): number {
  let best = -1;
  let bestPrefix = Number.POSITIVE_INFINITY;
  for (const [index, run] of runs.entries()) {
    const position = at[index] ?? 0;
    if (position >= run.count) continue;
    const prefix = run.prefixAt(position);
    const isTie = prefix === bestPrefix && best >= 0;
    const other = isTie ? runs[best]?.keyAt(at[best] ?? 0) : undefined;
    if (prefix < bestPrefix || (other && run.compareAt(position, other) < 0)) {
      best = index;
      bestPrefix = prefix;
    }
  }
  return best;
}

/**
 * Merges runs into one file at `path`; a key that is in several is kept once. Yields to the event
 * loop after each megabyte. Returns the number of keys.
 */
export async function mergeKeyRuns(runs: readonly KeyRun[], path: string): Promise<number> {
  const file = await open(path, 'w', 0o600);
  const writer = new RunWriter(file);
  const at = runs.map(() => 0);
  let last: Buffer | null = null;
  try {
    for (let index = smallest(runs, at); index >= 0; index = smallest(runs, at)) {
      const position = at[index] ?? 0;
      at[index] = position + 1;
      const key = runs[index]?.keyAt(position);
      if (!key || last?.equals(key)) continue;
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
