import type { OrgContext } from '../../context.ts';
import { selectErased, selectErasedAnywhere } from '../../event-store/people.ts';
import { at } from '../../shared/assert.ts';
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

async function selectErasedIn(
  sql: Sql,
  { orgId, appId }: Pick<LogRecord, 'orgId' | 'appId'>,
  ids: readonly string[],
  as: 'person' | 'device',
): Promise<ReadonlySet<string>> {
  return appId === null
    ? selectErasedAnywhere(sql, orgId, ids, as)
    : selectErased(sql, { orgId, appId }, ids, as);
}

async function withoutErased(sql: Sql, records: readonly LogRecord[]): Promise<LogRecord[]> {
  const kept: LogRecord[] = [];
  for (const ofApp of Map.groupBy(records, ({ orgId, appId }) => `${orgId} ${appId}`).values()) {
    const scope = at(ofApp, 0);
    const named = (kind: keyof LogRecord['people']) => ofApp.flatMap(({ people }) => people[kind]);
    const [users, devices] = await Promise.all([
      selectErasedIn(sql, scope, named('users'), 'person'),
      selectErasedIn(sql, scope, named('devices'), 'device'),
    ]);
    const isErased = ({ people }: LogRecord) =>
      people.users.some((id) => users.has(id)) || people.devices.some((id) => devices.has(id));
    kept.push(...ofApp.filter((record) => !isErased(record)));
  }
  return kept;
}

export function createPartitionedInsert(
  sql: Sql,
): (records: readonly LogRecord[]) => Promise<void> {
  const partitioned = new Set<string>();
  return async (sent) => {
    const records = await withoutErased(sql, sent);
    for (const day of new Set(records.map(({ at }) => toUtcDay(at)))) {
      if (partitioned.has(day)) continue;
      await ensurePartition(sql, day);
      if (partitioned.size >= MAX_DAYS) partitioned.clear();
      partitioned.add(day);
    }
    await insertLogs(sql, records);
  };
}
