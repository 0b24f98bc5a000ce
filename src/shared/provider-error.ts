import type { HttpAnswer } from './http.ts';
import { SECOND_MS } from './time.ts';

/** Failures of requests to outside systems. */
export const PROVIDER_FAILURES = [
  /** It did not accept our credentials. */
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  /** Refused: not retryable. */
  'invalid',
  'rate_limited',
  /** No answer, a cut one, or a 5xx. */
  'unavailable',
  /** A success whose body is not what its documentation says. */
  'malformed',
] as const;

export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

export type ProviderErrorOptions = {
  status?: number;
  /** Seconds until a retry, for `rate_limited`. */
  retryAfterSeconds?: number;
  /** The request may have been carried out although no answer says so. */
  outcomeUnknown?: boolean;
  cause?: unknown;
};

/** The only error that a provider's client throws; its message is safe to log. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly outcomeUnknown: boolean;

  constructor(
    readonly failure: ProviderFailure,
    message: string,
    { status, retryAfterSeconds, outcomeUnknown = false, cause }: ProviderErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.outcomeUnknown = outcomeUnknown;
  }
}

const FAILURE_BY_STATUS: Readonly<Record<number, ProviderFailure>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  408: 'unavailable',
  425: 'unavailable',
  429: 'rate_limited',
};

/** The failure that an HTTP status means, or null for a 2xx. */
export function failureOfStatus(status: number): ProviderFailure | null {
  if (status >= 200 && status < 300) return null;
  return FAILURE_BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
}

/** Upper bound of a wait: a wrong clock or unit must not stop an integration. */
export const LONGEST_WAIT_SECONDS = 15 * 60;

const DEFAULT_WAIT_SECONDS = 60;

/**
 * Seconds to wait after a 429: `Retry-After` (seconds or a date), else the provider's own reset in
 * seconds from now, else a minute; between 1 and `LONGEST_WAIT_SECONDS`.
 */
export function waitSeconds(answer: HttpAnswer, now: Date, resetInSeconds: number | null): number {
  const header = answer.headers.get('retry-after');
  const wait = retryAfter(header, now) ?? resetInSeconds ?? DEFAULT_WAIT_SECONDS;
  return Math.min(Math.max(Math.ceil(wait), 1), LONGEST_WAIT_SECONDS);
}

function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : (at - now.getTime()) / SECOND_MS;
}
