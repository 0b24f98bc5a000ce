import { messageOf } from '../shared/errors.ts';
import { isBucketAway } from '../storage/object-store/bucket-fault.ts';
import { CacheFull } from '../storage/object-store/cache.ts';
import { isDatabaseAway } from '../storage/postgres.ts';

/**
 * Why a query gave no answer: timeout, memory limit, end of its process, a dependency away, files
 * still being fetched or without room on the disk, or (`failed`) a bug.
 */
export const QUERY_FAULTS = [
  'timeout',
  'memory',
  'stopped',
  'away',
  'fetching',
  'disk',
  'failed',
] as const;
export type QueryFaultKind = (typeof QUERY_FAULTS)[number];

export class QueryFault extends Error {
  readonly kind: QueryFaultKind;

  constructor(kind: QueryFaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'QueryFault';
    this.kind = kind;
  }
}

/** DuckDB errors are told apart by their message, they have no code. */
export function toQueryFault(thrown: unknown): QueryFault {
  if (thrown instanceof QueryFault) return thrown;
  const message = messageOf(thrown);
  if (thrown instanceof CacheFull) return new QueryFault('disk', message, thrown);
  if (isDatabaseAway(thrown) || isBucketAway(thrown)) {
    return new QueryFault('away', message, thrown);
  }
  if (/^INTERRUPT/i.test(message)) return new QueryFault('timeout', message, thrown);
  const outOfSpace = /out of memory|failed to offload|max_temp_directory_size|could not allocate/i;
  if (outOfSpace.test(message)) return new QueryFault('memory', message, thrown);
  return new QueryFault('failed', message, thrown);
}
