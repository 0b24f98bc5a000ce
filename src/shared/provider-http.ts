import type { Limiter } from './concurrency.ts';
import { decodeJson, type HttpAnswer, HttpFault, type HttpRequest, httpRequest } from './http.ts';
import * as errors from './provider-error.ts';
import type { ProviderRateLimit } from './provider-rate-limit.ts';
import type { Parser } from './schema.ts';
import type { Clock } from './time.ts';

export type ProviderHttpOptions = {
  provider: string;
  /** Origin and path prefix, no trailing slash. */
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxBytes: number;
  gate: ProviderRateLimit;
  limit: Limiter;
  clock: Clock;
  /** From `X-RateLimit-Reset`, in seconds; null when invalid. */
  resetInSeconds: (header: string, now: Date) => number | null;
  /** False when a 429 concerns one account. */
  isOverallLimit?: (body: unknown) => boolean;
  /** A gateway's 403 or 404 counts as unavailable. */
  isOwnRefusal: (status: number, body: unknown) => boolean;
  /** For the log. */
  reasonOf: (body: unknown) => string | null;
};

export type ProviderCall = {
  method: HttpRequest['method'];
  path: string;
  query?: Readonly<Record<string, string | readonly string[]>>;
  json?: unknown;
};

export type ProviderHttp = <T>(call: ProviderCall, answer: Parser<T>) => Promise<T>;

const LONGEST_REASON = 300;
/** Smallest share of the timeout worth starting a request with. */
const LEAST_SHARE = 0.1;

export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  return async (call, parser) => {
    const wait = await options.gate.take(options.provider);
    if (wait !== null) {
      throw new errors.ProviderError('rate_limited', `${options.provider} is rate limiting.`, {
        retryAfterSeconds: wait,
      });
    }
    const endMs = performance.now() + options.timeoutMs;
    const answer = await options.limit(() => exchange(options, call, endMs - performance.now()));
    const body = await settle(options, call, answer);
    try {
      return parser.parse(body);
    } catch (cause) {
      const outcomeUnknown = call.method !== 'GET';
      const message = `${options.provider} sent a response of an unknown shape.`;
      throw new errors.ProviderError('malformed', message, { outcomeUnknown, cause });
    }
  };
}

export async function exchangeWith(request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await httpRequest(request);
  } catch (cause) {
    if (!(cause instanceof HttpFault)) throw cause;
    const outcomeUnknown = request.method !== 'GET';
    throw new errors.ProviderError('unavailable', cause.message, { outcomeUnknown, cause });
  }
}

/** Includes the wait for a slot: a silent provider delays nobody longer. */
async function exchange(
  options: ProviderHttpOptions,
  call: ProviderCall,
  timeoutMs: number,
): Promise<HttpAnswer> {
  if (timeoutMs < options.timeoutMs * LEAST_SHARE) {
    throw new errors.ProviderError(
      'unavailable',
      `${options.provider} has too many pending requests.`,
    );
  }
  const url = new URL(`${options.baseUrl}${call.path}`);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const each of [value].flat()) url.searchParams.append(name, each);
  }
  const hasBody = call.json !== undefined;
  return exchangeWith({
    method: call.method,
    url,
    headers: {
      accept: 'application/json',
      ...options.headers,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(call.json) } : {}),
    timeoutMs,
    maxBytes: options.maxBytes,
  });
}

async function settle(
  options: ProviderHttpOptions,
  call: ProviderCall,
  answer: HttpAnswer,
): Promise<unknown> {
  const body = decodeJson(answer);
  const failure = toFailure(options, answer.status, body);
  if (failure === 'rate_limited') throw await rateLimited(options, answer, body);
  await noteAllowance(options, answer);
  const error = (kind: errors.ProviderFailure, why: string | null) =>
    new errors.ProviderError(
      kind,
      `${options.provider} answered ${answer.status} to ${call.method} ${call.path}: ${why ?? 'no reason given'}`,
      {
        status: answer.status,
        outcomeUnknown: call.method !== 'GET' && (kind === 'unavailable' || kind === 'malformed'),
      },
    );
  if (failure) throw error(failure, reason(options, body));
  if (body === undefined && answer.bytes.length > 0) throw error('malformed', 'not JSON');
  if (isRefusal(body)) throw error('invalid', reason(options, body));
  return body;
}

function toFailure(
  { isOwnRefusal }: ProviderHttpOptions,
  status: number,
  body: unknown,
): errors.ProviderFailure | null {
  const isForeign = (status === 403 || status === 404) && !isOwnRefusal(status, body);
  return isForeign ? 'unavailable' : errors.failureOfStatus(status);
}

/** Also a 2xx with `success: false`. */
function isRefusal(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'success' in body && body.success === false;
}

function reason(options: ProviderHttpOptions, body: unknown): string | null {
  return options.reasonOf(body)?.slice(0, LONGEST_REASON) ?? null;
}

async function rateLimited(
  options: ProviderHttpOptions,
  answer: HttpAnswer,
  body: unknown,
): Promise<errors.ProviderError> {
  const now = options.clock();
  const header = answer.headers.get('x-ratelimit-reset');
  const reset = header === null ? null : options.resetInSeconds(header, now);
  const retryAfterSeconds = errors.waitSeconds(answer, now, reset);
  if (options.isOverallLimit?.(body) ?? true) {
    await options.gate.note(options.provider, { remaining: 0, resetInSeconds: retryAfterSeconds });
  }
  return new errors.ProviderError(
    'rate_limited',
    `${options.provider} is rate limiting: ${reason(options, body) ?? 'no reason given'}`,
    { status: answer.status, retryAfterSeconds },
  );
}

/** Column limit; more means unlimited. */
const MAX_ALLOWANCE = 1_000_000;

async function noteAllowance(options: ProviderHttpOptions, answer: HttpAnswer): Promise<void> {
  const remaining = Number(answer.headers.get('x-ratelimit-remaining') ?? Number.NaN);
  const header = answer.headers.get('x-ratelimit-reset');
  if (header === null || !Number.isInteger(remaining) || remaining < 0) return;
  const reset = options.resetInSeconds(header, options.clock());
  if (reset === null || reset <= 0) return;
  const resetInSeconds = Math.min(Math.ceil(reset), errors.LONGEST_WAIT_SECONDS);
  await options.gate.note(options.provider, {
    remaining: Math.min(remaining, MAX_ALLOWANCE),
    resetInSeconds,
  });
}
