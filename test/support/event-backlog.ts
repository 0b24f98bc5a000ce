import { benchBatch, EVENTS_PER_BATCH } from '../../bench/ingest/batch.ts';
import { EventLog } from '../../src/event-store/log/event-log.ts';

const APPS = 20;
const silent = () => undefined;
const AT_ONCE = 200;
/** Small ones, as a second makes them: as much of them as it allows then goes into a commit. */
const SEGMENT_BYTES = 1024 * 1024;

const PROPERTIES = 6;
const PROPERTY_CHARACTERS = 500;

/** A batch of events with as many long texts as some clients send; 3 KB each. */
export function wideBatch(batch: number, nowMs: number): string {
  const sent = JSON.parse(benchBatch(batch, nowMs));
  for (const [index, event] of sent.events.entries()) {
    const text = (n: number) => Bun.hash(`${(batch * EVENTS_PER_BATCH + index) % 5_000} ${n}`);
    event.props = Object.fromEntries(
      Array.from({ length: PROPERTIES }, (_, n) => [
        `text_${n}`,
        text(n).toString(16).repeat(PROPERTY_CHARACTERS).slice(0, PROPERTY_CHARACTERS),
      ]),
    );
  }
  return JSON.stringify(sent);
}

/** Fills a log folder as the API does, and seals it: what is there when no compactor has run. */
export async function fillLog(dir: string, events: number, batchOf = benchBatch): Promise<void> {
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
          body: Buffer.from(batchOf(batch, Date.now())),
        }),
      ),
    );
  }
  await log.close();
}
