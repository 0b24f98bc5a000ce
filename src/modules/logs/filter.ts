import { DEFAULT_PAGE, type LogQuery } from './model.ts';
import { type LogRecord, searchable, storable } from './record.ts';

export type LogFilter = {
  orgId: string;
  service: string | null;
  level: string | null;
  needle: string | null;
  since: Date | null;
  until: Date | null;
  env: string | null;
  requestIds: string[] | null;
  limit: number;
};

/** Range common to PostgreSQL and `Date`. */
const EARLIEST_MS = Date.UTC(1, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31);

function time(milliseconds: number | undefined, round: (value: number) => number): Date | null {
  if (milliseconds === undefined) return null;
  return new Date(round(Math.min(Math.max(milliseconds, EARLIEST_MS), LATEST_MS)));
}

/** Traces are stored in lower case. */
const requestIds = (sent: string): string[] =>
  /^[\dA-F]{32}$/i.test(sent) ? [sent, sent.toLowerCase()] : [sent];

export function toFilter(orgId: string, query: LogQuery): LogFilter {
  const text = (value: string | undefined) => (value === undefined ? null : storable(value));
  return {
    orgId,
    service: text(query.resource),
    level: query.level ?? null,
    needle: query.q === undefined || query.q === '' ? null : searchable(query.q),
    since: time(query.since, Math.ceil),
    until: time(query.until, Math.floor),
    env: text(query.env),
    requestIds: query.requestId === undefined ? null : requestIds(storable(query.requestId)),
    limit: query.limit ?? DEFAULT_PAGE,
  };
}

/** Same conditions as the query, for entries in memory. */
export function matches(filter: LogFilter, record: LogRecord): boolean {
  return (
    record.orgId === filter.orgId &&
    (filter.service === null || record.service === filter.service) &&
    (filter.level === null || record.level === filter.level) &&
    (filter.env === null || (record.env ?? '') === filter.env) &&
    (filter.requestIds?.some((id) => id === record.requestId) ?? true) &&
    (filter.since === null || record.at >= filter.since) &&
    (filter.until === null || record.at <= filter.until) &&
    (filter.needle === null || record.haystack.includes(filter.needle))
  );
}
