import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import type { Compactor } from '../../../src/event-store/parquet/compactor.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import { append, type TestEventStore } from '../event-store.ts';
import { event } from '../events.ts';

/** Takes batches, each of an app, and writes them as one file of many apps. */
export async function take(
  store: TestEventStore,
  ...batches: [string, StoredEvent[]][]
): Promise<void> {
  const log = await store.openLog();
  for (const [appId, events] of batches) await append(log, appId, events);
  await log.close();
  await compactOnce(store.compaction);
}

/** Does what is due to files, as if it were `days` later; at most `jobs` of it. */
export async function maintain(compaction: Compactor, days = 2, jobs = 100): Promise<void> {
  const later = { ...compaction, clock: () => new Date(Date.now() + days * DAY_MS) };
  for (const job of (await planJobs(later)).slice(0, jobs)) await runJob(later, job);
}

export const merge = (store: TestEventStore) => coalesceOnce(store.compaction);

/** People with devices and users over some days, few enough to meet again. */
export function someEvents(random: () => number, count: number): StoredEvent[] {
  const int = (below: number) => Math.floor(random() * below);
  return Array.from({ length: count }, () => {
    const person = int(40);
    const at = new Date(Date.now() - int(6 * DAY_MS));
    return event({
      name: `step_${int(5)}`,
      anonymousId: `device-${person}`,
      ...(int(6) === 0 && { userId: `user-${person % 20}` }),
      ts: at.toISOString(),
    });
  });
}

/** The objects of the live event files, as the catalogue names them. */
export async function livePaths(sql: Sql): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    SELECT path FROM event_files WHERE state = 'live' ORDER BY path`;
  return rows.map(({ path }) => path);
}
