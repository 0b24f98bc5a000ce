import type { Sql } from '../../storage/postgres.ts';
import { dayOf, ensurePartition } from './partition-queries.ts';
import { insertLogs } from './queries.ts';
import type { LogRecord } from './record.ts';

/** Days are few: this only keeps a clock gone wild from filling the memory. */
const MOST_DAYS = 1_000;

/** The write of the log book: makes the partitions that a batch needs, then stores it. */
export function createLogWrite(sql: Sql): (records: readonly LogRecord[]) => Promise<void> {
  const known = new Set<string>();
  return async (records) => {
    for (const day of new Set(records.map(({ at }) => dayOf(at)))) {
      if (known.has(day)) continue;
      await ensurePartition(sql, day);
      if (known.size >= MOST_DAYS) known.clear();
      known.add(day);
    }
    await insertLogs(sql, records);
  };
}
