import { readdir, stat } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { listSegments } from '../log/segments.ts';
import type { SegmentShipper } from '../log/shipper.ts';
import { freeBytes, nearestFolder } from './disk-floor.ts';

async function bytesOfLog(dir: string): Promise<number> {
  let bytes = 0;
  for (const { path } of await listSegments(dir)) {
    bytes += (await stat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

async function countSetAside(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => name.endsWith('.corrupt')).length;
}

const exposed = {
  bytes: 'Bytes of acknowledged events that are on this host only: lost when the host is.',
  segments: 'Segments of acknowledged events that are on this host only.',
};

/** Registered where a bucket outlives the host: what a loss of the host would cost now. */
function registerExposure(registry: Registry, shipper: SegmentShipper): void {
  for (const unit of ['bytes', 'segments'] as const) {
    new Gauge({
      name: `event_log_unshipped_${unit}`,
      help: exposed[unit],
      registers: [registry],
      async collect() {
        this.set((await shipper.exposure())[unit]);
      },
    });
  }
}

/** Sizes of the log and of its unreadable parts, measured at each scrape. */
export function registerLogMetrics(
  registry: Registry,
  dir: string,
  shipper: SegmentShipper | null,
): void {
  if (shipper) registerExposure(registry, shipper);
  new Gauge({
    name: 'event_log_bytes',
    help: 'Bytes of events on this host that are not in files yet.',
    registers: [registry],
    async collect() {
      this.set(await bytesOfLog(dir));
    },
  });
  new Gauge({
    name: 'event_log_set_aside_files',
    help: 'Parts of the event log that could not be read and were set aside.',
    registers: [registry],
    async collect() {
      this.set(await countSetAside(dir));
    },
  });
  new Gauge({
    name: 'disk_free_bytes',
    help: 'Free space where events are written first; under DISK_FLOOR_MB they are refused.',
    registers: [registry],
    async collect() {
      this.set(await freeBytes(await nearestFolder(dir)));
    },
  });
}
