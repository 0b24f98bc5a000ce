import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { S3Client } from 'bun';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { CacheFull, type CacheLimits, freeBytesAt, trimCache } from './cache.ts';

const DOWNLOADS_AT_ONCE = 8;
const TRIM_EVERY_MS = 30_000;

export type DownloadOptions = {
  client: Pick<S3Client, 'file'>;
  cacheDir: string;
  limits: CacheLimits;
  /** What downloads leave free: the event log is on the same disk. */
  reserveBytes: number;
  freeBytes?: (dir: string) => Promise<number>;
};

/**
 * Fetches objects into the cache, each once however many want it, so many at a time, and only
 * while the disk has room. One that is asked for no longer is fetched to its end all the same: who
 * asked is told to come back.
 */
export class Downloads {
  private readonly running = new Map<string, Promise<void>>();
  private readonly limited = limitConcurrency(DOWNLOADS_AT_ONCE);
  /** Of downloads under way, which the disk does not show yet. */
  private expectedBytes = 0;
  private trimmedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: DownloadOptions) {}

  fetch(name: string, path: string): Promise<void> {
    const running = this.running.get(path);
    if (running) return running;
    const started = this.limited(() => this.download(name, path)).finally(() =>
      this.running.delete(path),
    );
    this.running.set(path, started);
    return started;
  }

  trim(nowMs: number): Promise<number> {
    const { cacheDir, limits } = this.options;
    return trimCache(cacheDir, { ...limits, nowMs });
  }

  /** Under another name first, so that a reader never sees half a file. */
  private async download(name: string, path: string): Promise<void> {
    const { client } = this.options;
    const object = client.file(name);
    const { size } = await object.stat();
    const temporary = `${path}.${crypto.randomUUID()}.tmp`;
    this.expectedBytes += size;
    try {
      await mkdir(dirname(path), { recursive: true });
      await this.makeRoom(size);
      await Bun.write(temporary, object);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      this.expectedBytes -= size;
    }
    await this.trimNowAndThen();
  }

  private async makeRoom(bytes: number): Promise<void> {
    if (await this.hasRoom()) return;
    const { cacheDir, limits } = this.options;
    // Everything that no query can be reading goes before a query is refused.
    await trimCache(cacheDir, { ...limits, maxBytes: 0, nowMs: Date.now() });
    if (await this.hasRoom()) return;
    throw new CacheFull(bytes, await this.free());
  }

  private async hasRoom(): Promise<boolean> {
    return (await this.free()) - this.expectedBytes >= this.options.reserveBytes;
  }

  private free(): Promise<number> {
    const { cacheDir, freeBytes = freeBytesAt } = this.options;
    return freeBytes(cacheDir);
  }

  /** Also on a host without a compactor, which trims otherwise. */
  private async trimNowAndThen(): Promise<void> {
    const now = performance.now();
    if (now - this.trimmedAt < TRIM_EVERY_MS) return;
    this.trimmedAt = now;
    await this.trim(Date.now());
  }
}
