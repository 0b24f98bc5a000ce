import { PrivateKeyError } from '../../shared/app-store-token.ts';
import { errorMessage } from '../../shared/errors.ts';
import { decodeText, type HttpAnswer, HttpFault, httpRequest } from '../../shared/http.ts';
import type { ProviderRateLimit } from '../../shared/provider-rate-limit.ts';
import type { Clock } from '../../shared/time.ts';
import { classifyFailure, retryAfterSeconds } from './classify.ts';
import { StoreFault, type StoreKey, type StoreRateLimit } from './port.ts';
import { tokenCache } from './token.ts';

export type StoreClientOptions = {
  baseUrl: string;
  clock: Clock;
  gate: StoreRateLimit;
  limits: ProviderRateLimit;
  timeoutMs?: number;
};

export const JSON_TYPE = 'application/json';
const TIMEOUT_MS = 30_000;
/** For a 429 without `Retry-After`. */
const DEFAULT_WAIT_SECONDS = 60;
/** Bounds memory; above any real day. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;

export type StoreRequest = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  accept: string;
  body?: string;
};
export type Send = (key: StoreKey, url: URL, request: StoreRequest) => Promise<HttpAnswer>;

export function failure(answer: HttpAnswer): StoreFault {
  return classifyFailure({
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: decodeText(answer),
  });
}

export function json<T>(answer: HttpAnswer, parse: (value: unknown) => T): T {
  if (answer.status < 200 || answer.status > 299) throw failure(answer);
  try {
    return parse(JSON.parse(decodeText(answer)));
  } catch (thrown) {
    throw new StoreFault(
      'protocol',
      `The store's answer cannot be parsed: ${errorMessage(thrown)}`,
      {
        cause: thrown,
      },
    );
  }
}

export function sender({ clock, gate, limits, timeoutMs = TIMEOUT_MS }: StoreClientOptions): Send {
  const tokenFor = tokenCache(clock);
  const exchange = async (key: StoreKey, url: URL, request: StoreRequest) => {
    const limit = `store ${key.keyId}`;
    const waitSeconds = await limits.take(limit);
    if (waitSeconds !== null) {
      throw new StoreFault('rate_limited', 'The key is rate limited.', {
        retryAfterSeconds: waitSeconds,
      });
    }
    const { method = 'GET', accept, body } = request;
    const answer = await httpRequest({
      method,
      url,
      headers: {
        authorization: `Bearer ${await tokenFor(key)}`,
        accept,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      maxBytes: ANSWER_MAX_BYTES,
    });
    if (answer.status === 429) {
      const retryAfter = retryAfterSeconds(answer.headers.get('retry-after'));
      const resetInSeconds = retryAfter ?? DEFAULT_WAIT_SECONDS;
      await limits.note(limit, { remaining: 0, resetInSeconds });
    }
    return answer;
  };
  return async (key, url, request) => {
    try {
      return await gate(key.keyId, () => exchange(key, url, request));
    } catch (thrown) {
      if (thrown instanceof PrivateKeyError) throw new StoreFault('credentials', thrown.message);
      if (!(thrown instanceof HttpFault)) throw thrown;
      const lasting = thrown.kind === 'too_large' || thrown.kind === 'redirect';
      throw new StoreFault(lasting ? 'protocol' : 'unavailable', thrown.message, { cause: thrown });
    }
  };
}

export function address(baseUrl: string, path: string, query: Record<string, string>): URL {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Another host would get the token. */
export function nextPage(baseUrl: string, next: string): URL {
  const url = new URL(next, baseUrl);
  if (url.origin === new URL(baseUrl).origin) return url;
  throw new StoreFault('protocol', 'The next page is on another host.');
}
