import { ApplicationFailure } from '@temporalio/common';
import { AppError, type ErrorCode, messageOf } from '../src/shared/errors.ts';
import { SECOND_MS } from '../src/shared/time.ts';

/** What another attempt may cure; everything else in the closed set is final. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unavailable',
  'rate_limited',
  'store_rate_limited',
  'store_unavailable',
  'secret_storage_unavailable',
]);

/** The one place where errors become Temporal's. `type` is our code; the cause stays out of it. */
export function toApplicationFailure(thrown: unknown): Error {
  if (thrown instanceof ApplicationFailure) return thrown;
  if (!(thrown instanceof AppError)) {
    return ApplicationFailure.retryable(messageOf(thrown), 'internal');
  }
  const options = {
    message: thrown.message,
    type: thrown.code,
    details: [thrown.hint ?? null, thrown.retryAfterSeconds ?? null],
  };
  if (!RETRYABLE.has(thrown.code))
    return ApplicationFailure.create({ ...options, nonRetryable: true });
  if (thrown.retryAfterSeconds === undefined) return ApplicationFailure.create(options);
  return ApplicationFailure.create({
    ...options,
    nextRetryDelay: thrown.retryAfterSeconds * SECOND_MS,
  });
}
