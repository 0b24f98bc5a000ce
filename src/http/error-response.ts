import { ValidationError } from 'elysia';
import { AppError, ERROR_STATUS } from '../shared/errors.ts';
import { describeValueError } from '../shared/misfit.ts';
import { isBucketUnavailable } from '../storage/object-store/bucket-failure.ts';
import {
  isDatabaseUnavailable,
  isLockTimeout,
  isLostRace,
  isNotText,
  isTransactionClash,
} from '../storage/postgres.ts';
import type { Access, Protocol, SentError } from './access.ts';
import { limitHeaders, RateLimited } from './limits.ts';
import { MethodNotAllowed } from './methods.ts';

export type ErrorAnswer = {
  status: number;
  headers: Record<string, string>;
  body: SentError['body'];
};

const RETRY_AFTER_SECONDS = 5;
const CLASH_RETRY_AFTER_SECONDS = 1;

export function errorAnswer(error: AppError): ErrorAnswer {
  const status = ERROR_STATUS[error.code];
  const headers: Record<string, string> = {};
  const comesBack = error.code === 'unavailable' || status === 429;
  const retryAfter = error.retryAfterSeconds ?? (comesBack ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (error instanceof RateLimited) {
    Object.assign(headers, limitHeaders(error.limitName, error.state));
  }
  if (error instanceof MethodNotAllowed) headers.allow = error.allowed.join(', ');
  const { code, message, hint } = error;
  return {
    status,
    headers,
    body: { error: { code, message, ...(hint !== undefined && { hint }) } },
  };
}

const REQUEST_PARTS = new Set(['body', 'query', 'params', 'headers']);

function isValidationFault(thrown: unknown): thrown is ValidationError {
  return thrown instanceof ValidationError && REQUEST_PARTS.has(thrown.type);
}

export function foreignBody(
  errorBody: NonNullable<Protocol['errorBody']>,
  sent: Omit<SentError, 'text'>,
) {
  const { message, hint } = sent.error;
  return errorBody({ ...sent, text: hint ? `${message} ${hint}` : message });
}

/** Bugs become `internal`, without details. */
export function toAppError(thrown: unknown, access: Access | null): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isValidationFault(thrown)) {
    const code = access?.invalid ?? 'invalid_input';
    return new AppError(code, 'The request is not valid.', {
      hint: describeValueError(thrown.type, thrown.valueError),
    });
  }
  if (isDatabaseUnavailable(thrown) || isBucketUnavailable(thrown)) {
    return new AppError('unavailable', 'The service is temporarily unavailable; try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: thrown,
    });
  }
  if (isTransactionClash(thrown) || isLockTimeout(thrown)) {
    return new AppError(
      'unavailable',
      'Too many requests changed the same data at once; try again.',
      {
        retryAfterSeconds: CLASH_RETRY_AFTER_SECONDS,
        cause: thrown,
      },
    );
  }
  if (isNotText(thrown)) {
    return new AppError('invalid_input', 'The request is not valid.', {
      hint: 'Text must not contain a NUL character or half of a surrogate pair.',
      cause: thrown,
    });
  }
  if (isLostRace(thrown)) {
    return new AppError('conflict', 'Another request changed this at the same time.', {
      hint: 'Read the current state, then repeat the request if it is still needed.',
      cause: thrown,
    });
  }
  return new AppError('internal', 'Something went wrong on our side.', { cause: thrown });
}
