import { benchBatch, EVENTS_PER_BATCH } from '../../bench/ingest/batch.ts';
import { EventLog } from '../../src/modules/events/log/event-log.ts';

const APPS = 20;
const silent = () => undefined;
const AT_ONCE = 200;
/** Small ones, as a second makes them: as much of them as it allows then goes into a commit. */
const SEGMENT_BYTES = 1024 * 1024;

/** Fills a log folder as the API does, and seals it: what is there when no compactor has run. */
export async function fillLog(dir: string, events: number): Promise<void> {
  const log = await EventLog.open({
    dir,
    maxSegmentBytes: SEGMENT_BYTES,
    log: { error: silent, warn: silent, info: silent },
  });
  const batches = events / EVENTS_PER_BATCH;
  for (let first = 0; first < batches; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, batches - first);
    const group = Array.from({ length: count }, (_, i) => first + i);
    await Promise.all(
      group.map((batch) =>
        log.append({
          org: 'org_bench',
          app: `app_bench_${batch % APPS}`,
          key: 'key_bench',
          receivedAt: Date.now(),
          body: Buffer.from(benchBatch(batch, Date.now())),
        }),
      ),
    );
  }
  await log.close();
}
