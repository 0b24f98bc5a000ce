import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { S3Client } from 'bun';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { freeBytes } from '../files.ts';
import { CacheFull, type CacheLimits, trimCache } from './cache.ts';
import { openScratch } from './scratch.ts';

export const ANSWER_MS = MINUTE_MS;
const DOWNLOADS_AT_ONCE = 8;
const TRIM_EVERY_MS = 30_000;
/** Bytes between checks of free disk space. */
const LOOK_EVERY_BYTES = 4 * 1024 * 1024;
/** How long downloads are refused after a full disk. */
const FULL_FOR_MS = 5_000;

async function* eachWithin<T>(stream: AsyncIterable<T>, limitMs: number): AsyncGenerator<T> {
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withTimeout(chunks.next(), limitMs);
      if (done) return;
      yield value;
    }
  } finally {
    chunks.return?.().catch(() => undefined);
  }
}

export type DownloadOptions = {
  client: () => Promise<Pick<S3Client, 'file'>>;
  cacheDir: string;
  limits: CacheLimits;
  /** Disk space reserved for the event log. */
  reserveBytes: number;
  answerMs?: number;
  freeBytes?: (dir: string) => Promise<number>;
};

/** When the disk fills, all running downloads abort and delete their bytes. */
export class Downloads {
  private readonly once = singleFlight<void>();
  private readonly limited = limitConcurrency(DOWNLOADS_AT_ONCE);
  private expectedBytes = 0;
  private fullUntil = Number.NEGATIVE_INFINITY;
  private trimmedAt = Number.NEGATIVE_INFINITY;

  readonly scratch: ReturnType<typeof openScratch>;

  constructor(private readonly options: DownloadOptions) {
    this.scratch = openScratch(options.cacheDir);
  }

  fetch(name: string, path: string): Promise<void> {
    return this.once(path, () => this.limited(() => this.download(name, path)));
  }

  async trim(nowMs: number): Promise<number> {
    const { cacheDir, limits } = this.options;
    return this.scratch.trim(nowMs) + (await trimCache(cacheDir, { ...limits, nowMs }));
  }

  /** Readers never see a partial file. */
  private async download(name: string, path: string): Promise<void> {
    if (performance.now() < this.fullUntil) throw new CacheFull(await this.free());
    const object = (await this.options.client()).file(name);
    const { answerMs = ANSWER_MS } = this.options;
    const { size } = await withTimeout(object.stat(), answerMs);
    const temporary = this.scratch.path(crypto.randomUUID());
    this.expectedBytes += size;
    let arrived = 0;
    try {
      for (const file of [path, temporary]) await mkdir(dirname(file), { recursive: true });
      await this.makeRoom(this.expectedBytes);
      const sink = Bun.file(temporary).writer();
      try {
        let lookAt = LOOK_EVERY_BYTES;
        for await (const chunk of eachWithin(object.stream(), answerMs)) {
          await sink.write(chunk);
          arrived += chunk.byteLength;
          this.expectedBytes -= chunk.byteLength;
          if (arrived < lookAt) continue;
          lookAt = arrived + LOOK_EVERY_BYTES;
          await sink.flush();
          await this.makeRoom(0);
        }
      } finally {
        await sink.end();
      }
      if (arrived !== size) throw new Error(`${name} ended after ${arrived} of ${size} bytes.`);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      this.expectedBytes -= size - arrived;
    }
    await this.trimNowAndThen();
  }

  /** Throws when `bytes` more would cut into the reserve. */
  private async makeRoom(bytes: number): Promise<void> {
    if (await this.hasRoom(bytes)) return;
    const { cacheDir, limits } = this.options;
    // Before refusing.
    await trimCache(cacheDir, { ...limits, maxBytes: 0, nowMs: Date.now() });
    if (await this.hasRoom(bytes)) return;
    this.fullUntil = performance.now() + FULL_FOR_MS;
    throw new CacheFull(await this.free());
  }

  private async hasRoom(bytes: number): Promise<boolean> {
    return (await this.free()) - bytes >= this.options.reserveBytes;
  }

  private free(): Promise<number> {
    return (this.options.freeBytes ?? freeBytes)(this.options.cacheDir);
  }

  /** For hosts without a compactor, which otherwise trims. */
  private async trimNowAndThen(): Promise<void> {
    const now = performance.now();
    if (now - this.trimmedAt < TRIM_EVERY_MS) return;
    this.trimmedAt = now;
    await this.trim(Date.now());
  }
}
