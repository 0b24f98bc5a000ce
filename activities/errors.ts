import { ApplicationFailure } from '@temporalio/common';
import { AppError, type ErrorCode, errorMessage } from '../src/shared/errors.ts';
import { SECOND_MS } from '../src/shared/time.ts';
import { type FailureProof, failurePurpose } from '../src/temporal/contracts/forged-answers.ts';
import { withPurpose } from '../src/temporal/contracts/plain-payload.ts';

/** Transient; all other codes are permanent. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unavailable',
  'rate_limited',
  'store_rate_limited',
  'store_unavailable',
  'secret_storage_unavailable',
]);

/** Proof of origin: code and message travel unencrypted. */
function toProof(message: string, code: ErrorCode): unknown {
  const proof: FailureProof = { message };
  return withPurpose(proof, failurePurpose(code));
}

/** `type` is our code; the cause stays out. */
export function toApplicationFailure(thrown: unknown): Error {
  if (thrown instanceof ApplicationFailure) return thrown;
  if (!(thrown instanceof AppError)) {
    const message = errorMessage(thrown);
    return ApplicationFailure.retryable(message, 'internal', toProof(message, 'internal'));
  }
  const options = {
    message: thrown.message,
    type: thrown.code,
    details: [
      thrown.hint ?? null,
      thrown.retryAfterSeconds ?? null,
      toProof(thrown.message, thrown.code),
    ],
  };
  if (!RETRYABLE.has(thrown.code))
    return ApplicationFailure.create({ ...options, nonRetryable: true });
  if (thrown.retryAfterSeconds === undefined) return ApplicationFailure.create(options);
  return ApplicationFailure.create({
    ...options,
    nextRetryDelay: thrown.retryAfterSeconds * SECOND_MS,
  });
}
