import { errorMessage } from '../../shared/errors.ts';
import { DamagedFile } from '../../storage/damaged-file.ts';
import { MissingRows } from '../../storage/missing-rows.ts';
import { isBucketUnavailable } from '../../storage/object-store/bucket-failure.ts';
import { CacheFull } from '../../storage/object-store/cache.ts';
import { isDatabaseUnavailable } from '../../storage/postgres.ts';

/** `failed` is a bug. */
export const QUERY_FAILURES = [
  'timeout',
  'memory',
  'stopped',
  'away',
  'fetching',
  'disk',
  'incomplete',
  'damaged',
  'failed',
] as const;
export type QueryFailureKind = (typeof QUERY_FAILURES)[number];

export class QueryFailure extends Error {
  readonly kind: QueryFailureKind;

  constructor(kind: QueryFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'QueryFailure';
    this.kind = kind;
  }
}

export function toQueryFailure(thrown: unknown): QueryFailure {
  if (thrown instanceof QueryFailure) return thrown;
  const message = errorMessage(thrown);
  if (thrown instanceof MissingRows) return new QueryFailure('incomplete', message, thrown);
  if (thrown instanceof DamagedFile) return new QueryFailure('damaged', message, thrown);
  if (thrown instanceof CacheFull) return new QueryFailure('disk', message, thrown);
  if (isDatabaseUnavailable(thrown) || isBucketUnavailable(thrown)) {
    return new QueryFailure('away', message, thrown);
  }
  if (/^INTERRUPT/i.test(message)) return new QueryFailure('timeout', message, thrown);
  const outOfSpace = /out of memory|failed to offload|max_temp_directory_size|could not allocate/i;
  if (outOfSpace.test(message)) return new QueryFailure('memory', message, thrown);
  return new QueryFailure('failed', message, thrown);
}
