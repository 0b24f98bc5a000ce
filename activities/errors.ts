import { ApplicationFailure } from '@temporalio/common';
import { AppError, type ErrorCode, messageOf } from '../src/shared/errors.ts';
import { SECOND_MS } from '../src/shared/time.ts';
import { type FailureProof, failurePurpose } from '../src/temporal/contracts/forged-answers.ts';
import { withPurpose } from '../src/temporal/contracts/plain-payload.ts';

/** What another attempt may cure; everything else in the closed set is final. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'unavailable',
  'rate_limited',
  'store_rate_limited',
  'store_unavailable',
  'secret_storage_unavailable',
]);

/** Code and message travel unencrypted; this says along with them that they are ours. */
function proofOf(message: string, code: ErrorCode): unknown {
  const proof: FailureProof = { message };
  return withPurpose(proof, failurePurpose(code));
}

/** The one place where errors become Temporal's. `type` is our code; the cause stays out of it. */
export function toApplicationFailure(thrown: unknown): Error {
  if (thrown instanceof ApplicationFailure) return thrown;
  if (!(thrown instanceof AppError)) {
    const message = messageOf(thrown);
    return ApplicationFailure.retryable(message, 'internal', proofOf(message, 'internal'));
  }
  const options = {
    message: thrown.message,
    type: thrown.code,
    details: [
      thrown.hint ?? null,
      thrown.retryAfterSeconds ?? null,
      proofOf(thrown.message, thrown.code),
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
