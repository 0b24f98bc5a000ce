import type { OrgContext } from '../../context.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { IngestLogInput, LogAccepted } from './model.ts';
import { toUtcDay, ensurePartition } from './partition-queries.ts';
import { insertLogs } from './queries.ts';
import { type LogRecord, toRecord } from './record.ts';

/** Memory bound against clock jumps. */
const MAX_DAYS = 1_000;

export async function ingestLog(
  ctx: OrgContext<'clock' | 'logWriter'>,
  input: IngestLogInput,
): Promise<LogAccepted> {
  await ctx.deps.logWriter.append(toRecord(ctx.orgId, ctx.deps.clock(), input));
  return { accepted: true };
}

export function createPartitionedInsert(
  sql: Sql,
): (records: readonly LogRecord[]) => Promise<void> {
  const partitioned = new Set<string>();
  return async (records) => {
    for (const day of new Set(records.map(({ at }) => toUtcDay(at)))) {
      if (partitioned.has(day)) continue;
      await ensurePartition(sql, day);
      if (partitioned.size >= MAX_DAYS) partitioned.clear();
      partitioned.add(day);
    }
    await insertLogs(sql, records);
  };
}
