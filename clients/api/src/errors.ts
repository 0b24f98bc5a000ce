import type { ErrorCode } from './operations.ts';

/** An error that the service answered, typed by its code. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    readonly code: Code,
    message: string,
    /** What the caller can do; for `invalid_input` the field and the rule. */
    readonly hint: string | undefined,
    /** For a report to whoever runs the service. */
    readonly requestId: string | undefined,
    /** Seconds until a retry makes sense. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }

  /** Narrows to one code: `if (error.is('slug_taken'))`. */
  is<Wanted extends ErrorCode>(code: Wanted): this is ApiError<Wanted> {
    return (this.code as ErrorCode) === code;
  }
}

/** There was no answer: the network, a timeout, or the caller's own signal. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** An answer that is not what the service has declared: another version, or not the service at all. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(
    message: string,
    readonly status: number,
    readonly requestId: string | undefined,
  ) {
    super(message);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(Math.ceil(seconds), 0) : undefined;
}

/** The typed error of an answer that is not a success. */
export function errorOf(response: Response, body: unknown): ApiError | ContractError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string') {
    return new ContractError(
      `Status ${response.status} without an error.`,
      response.status,
      requestId,
    );
  }
  const hint = typeof error.hint === 'string' ? error.hint : undefined;
  // A code that a later release has added is passed on as it is.
  const code = error.code as ErrorCode;
  const seconds = retryAfter(response.headers);
  return new ApiError(response.status, code, error.message, hint, requestId, seconds);
}
