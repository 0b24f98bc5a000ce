import type { OrgContext } from '../../context.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { isDatabaseUnavailable } from '../../storage/postgres.ts';
import { type LogFilter, matches, toFilter } from './filter.ts';
import type { LogPage, LogQuery } from './model.ts';
import { selectFacets, selectLogs } from './queries.ts';
import { type LogRecord, toEntry } from './record.ts';

/** Past this, the database counts as unavailable. */
const TIME_LIMIT_MS = 12 * SECOND_MS;
const FACETS_TIME_LIMIT_MS = 2 * SECOND_MS;

/** From memory while the database is unavailable. */
export async function queryLogs(
  ctx: OrgContext<'logWriter' | 'sql'>,
  query: LogQuery,
): Promise<LogPage> {
  const { logWriter, sql } = ctx.deps;
  const filter = toFilter(ctx.orgId, query);
  await logWriter.flush();
  try {
    // Small query first: detects an outage early.
    const facets = await withTimeout(selectFacets(sql, ctx.orgId), FACETS_TIME_LIMIT_MS);
    const { logs, total } = await withTimeout(selectLogs(sql, filter), TIME_LIMIT_MS);
    return {
      entries: logs.map(toEntry),
      ...facets,
      total,
      source: 'database',
      dropped: logWriter.dropped(ctx.orgId),
    };
  } catch (thrown) {
    if (!isDatabaseUnavailable(thrown)) throw thrown;
    return fromMemory(logWriter.held(ctx.orgId), filter, logWriter.dropped(ctx.orgId));
  }
}

function fromMemory(held: readonly LogRecord[], filter: LogFilter, dropped: number): LogPage {
  const hits = held.filter((record) => matches(filter, record));
  const names = (values: (string | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].toSorted();
  return {
    entries: hits.slice(0, filter.limit).map(toEntry),
    resources: names(held.map((record) => record.service)),
    envs: names(held.map((record) => record.env)),
    total: hits.length,
    source: 'memory',
    dropped,
  };
}
