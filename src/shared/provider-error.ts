import type { HttpAnswer } from './http.ts';
import { SECOND_MS } from './time.ts';

export const PROVIDER_FAILURES = [
  /** Our credentials were refused. */
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  /** Not retryable. */
  'invalid',
  'rate_limited',
  /** No or cut response, or 5xx. */
  'unavailable',
  /** A 2xx body that breaks the documentation. */
  'malformed',
] as const;

export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

export type ProviderErrorOptions = {
  status?: number;
  /** For `rate_limited`. */
  retryAfterSeconds?: number;
  /** The request may have been executed. */
  outcomeUnknown?: boolean;
  code?: number;
  cause?: unknown;
};

/** The only error of provider clients; its message is safe to log. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly outcomeUnknown: boolean;
  readonly code: number | undefined;

  constructor(
    readonly failure: ProviderFailure,
    message: string,
    { status, retryAfterSeconds, outcomeUnknown = false, code, cause }: ProviderErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.outcomeUnknown = outcomeUnknown;
    this.code = code;
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

/** Null for 2xx. */
export function failureOfStatus(status: number): ProviderFailure | null {
  if (status >= 200 && status < 300) return null;
  return FAILURE_BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
}

/** Bounds waits against a wrong clock or unit. */
export const LONGEST_WAIT_SECONDS = 15 * 60;

const DEFAULT_WAIT_SECONDS = 60;

/** Seconds or date, else the provider's reset, else a minute. */
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
