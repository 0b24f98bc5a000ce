import { stat } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { freeBytes, namesIn } from '../../storage/files.ts';
import { listSegments } from '../log/segments.ts';
import type { SegmentShipper } from '../log/shipper.ts';
import { nearestFolder } from './disk-floor.ts';

async function bytesOfLog(dir: string): Promise<number> {
  let bytes = 0;
  for (const { path } of await listSegments(dir)) {
    bytes += (await stat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

export function registerLogMetrics(
  registry: Registry,
  dir: string,
  shipper: SegmentShipper | null,
): void {
  const gauge = (name: string, help: string, measure: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await measure().catch(() => Number.NaN));
      },
    });
  // Events lost with the host, given a bucket that outlives it.
  if (shipper) {
    gauge(
      'event_log_unshipped_bytes',
      'Bytes of acknowledged events on this host only: lost with the host.',
      async () => (await shipper.exposure()).bytes,
    );
    gauge(
      'event_log_unshipped_segments',
      'Segments of acknowledged events on this host only.',
      async () => (await shipper.exposure()).segments,
    );
    gauge(
      'event_log_unshipped_seconds',
      'Age in seconds of the oldest acknowledged events on this host only.',
      async () => (await shipper.exposure()).seconds,
    );
  }
  gauge('event_log_bytes', 'Bytes of events on this host that are not in files yet.', () =>
    bytesOfLog(dir),
  );
  gauge(
    'event_log_set_aside_files',
    'Parts of the event log that could not be read and were quarantined.',
    async () => (await namesIn(dir)).filter((name) => name.endsWith('.corrupt')).length,
  );
  gauge(
    'disk_free_bytes',
    'Free disk space for the event log; below DISK_FLOOR_MB events are refused.',
    async () => freeBytes(await nearestFolder(dir)),
  );
}
