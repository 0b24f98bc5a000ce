import { ValidationError } from 'elysia';
import { AppError, ERROR_STATUS, type ErrorCode } from '../shared/errors.ts';
import { describeValueError } from '../shared/misfit.ts';
import { isBucketUnavailable } from '../storage/object-store/bucket-failure.ts';
import {
  isDatabaseUnavailable,
  isLockTimeout,
  isLostRace,
  isNotText,
  isTransactionClash,
} from '../storage/postgres.ts';
import type { Access, Protocol } from './access.ts';
import { limitHeaders, RateLimited } from './limits.ts';
import { MethodNotAllowed } from './methods.ts';

export type ErrorAnswer = {
  status: number;
  headers: Record<string, string>;
  body: { error: { code: ErrorCode; message: string; hint?: string } };
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

const ICEBERG_TYPES: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'NotAuthorizedException',
  unavailable: 'ServiceUnavailableException',
  internal: 'InternalServerError',
};

/** The only format Iceberg clients read. */
export function icebergBody(error: AppError, path: string) {
  const code = ERROR_STATUS[error.code];
  const missing = path.includes('/tables/') ? 'NoSuchTableException' : 'NoSuchNamespaceException';
  const type = code === 404 ? missing : (ICEBERG_TYPES[error.code] ?? 'BadRequestException');
  return { error: { message: error.message, type, code } };
}

/** Codes that its clients read; others go by status. */
function ofrepCode({ code, hint }: AppError): string {
  if (code === 'not_found') return 'FLAG_NOT_FOUND';
  if (code === 'malformed_json') return 'PARSE_ERROR';
  if (code !== 'invalid_input') return 'GENERAL';
  return hint === 'context.targetingKey: is needed' ? 'TARGETING_KEY_MISSING' : 'INVALID_CONTEXT';
}

type Told = { error: AppError; said: string; path: string; body: ErrorAnswer['body'] };

/** Clients give up at a key's words; that for Java loses events without its number. */
function amplitudeBody({ error, said }: Told) {
  const code = ERROR_STATUS[error.code];
  if (code === 401) return { code, error: `Invalid API key: ${said}` };
  return { code, error: said, ...(code === 429 && { eps_threshold: 0 }) };
}

function ofrepBody({ error, said, path, body }: Told) {
  const [, key] = /\/flags\/([^/]+)\/?$/.exec(path) ?? [];
  return { ...body, ...(key && { key }), errorCode: ofrepCode(error), errorDetails: said };
}

const BODIES: Record<Protocol, (told: Told) => object> = {
  amplitude: amplitudeBody,
  ofrep: ofrepBody,
  /** Clients for Python read both, or fail and try again. */
  segment: ({ error: { code }, said, body }) => ({ ...body, code, message: said }),
  posthog: ({ error: { code }, said }) => ({ error: code, error_description: said }),
  mixpanel: ({ said }) => ({ status: 0, error: said }),
};

const UNKNOWN_PATHS: readonly [RegExp, Protocol][] = [
  [/^\/v1\/amplitude\//, 'amplitude'],
  [/^\/v1\/segment\//, 'segment'],
  [/^\/v1\/posthog\/i\/v1\//, 'posthog'],
  [/^(\/v1\/mixpanel)?\/(track|engage|groups|import|decide|record|flags)(\/|$)/, 'mixpanel'],
];

export const protocolOf = (path: string): Protocol | undefined =>
  UNKNOWN_PATHS.find(([pattern]) => pattern.test(path))?.[1];

export function bodyOf(protocol: Protocol, told: Omit<Told, 'said'>): object {
  const { message, hint } = told.error;
  return BODIES[protocol]({ ...told, said: hint ? `${message} ${hint}` : message });
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
