import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { S3Client } from 'bun';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import { freeBytes } from '../files.ts';
import { CacheFull, type CacheLimits, trimCache } from './cache.ts';

const DOWNLOADS_AT_ONCE = 8;
const TRIM_EVERY_MS = 30_000;

export type DownloadOptions = {
  client: () => Promise<Pick<S3Client, 'file'>>;
  cacheDir: string;
  limits: CacheLimits;
  /** Disk space that downloads leave free for the event log. */
  reserveBytes: number;
  freeBytes?: (dir: string) => Promise<number>;
};

/**
 * Downloads objects into the cache: single flight for each, bounded concurrency, and only while the
 * disk has room. A download is never cancelled: callers that give up retry and find it.
 */
export class Downloads {
  private readonly once = singleFlight<void>();
  private readonly limited = limitConcurrency(DOWNLOADS_AT_ONCE);
  /** Size of running downloads, which the disk does not show yet. */
  private expectedBytes = 0;
  private trimmedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: DownloadOptions) {}

  fetch(name: string, path: string): Promise<void> {
    return this.once(path, () => this.limited(() => this.download(name, path)));
  }

  trim(nowMs: number): Promise<number> {
    const { cacheDir, limits } = this.options;
    return trimCache(cacheDir, { ...limits, nowMs });
  }

  /** Writes under a temporary name, so that a reader never sees half a file. */
  private async download(name: string, path: string): Promise<void> {
    const object = (await this.options.client()).file(name);
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
    // Drops every file that no query can be reading before refusing one.
    await trimCache(cacheDir, { ...limits, maxBytes: 0, nowMs: Date.now() });
    if (await this.hasRoom()) return;
    throw new CacheFull(bytes, await this.free());
  }

  private async hasRoom(): Promise<boolean> {
    return (await this.free()) - this.expectedBytes >= this.options.reserveBytes;
  }

  private free(): Promise<number> {
    return (this.options.freeBytes ?? freeBytes)(this.options.cacheDir);
  }

  /** For hosts without a compactor, which trims otherwise. */
  private async trimNowAndThen(): Promise<void> {
    const now = performance.now();
    if (now - this.trimmedAt < TRIM_EVERY_MS) return;
    this.trimmedAt = now;
    await this.trim(Date.now());
  }
}
