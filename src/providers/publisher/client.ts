import { limitConcurrency } from '../../shared/concurrency.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { createProviderHttp, type ProviderHttp } from '../../shared/provider-http.ts';
import type { ProviderRateLimit } from '../../shared/provider-rate-limit.ts';
import { type Clock, SECOND_MS } from '../../shared/time.ts';
import * as maps from './map.ts';
import { readHistory, readSchedule } from './pages.ts';
import type { Publisher } from './port.ts';
import { analyticsAnswer, anyAnswer, connectAnswer, profileAnswer } from './wire.ts';

export type PublisherOptions = {
  /** Includes `/api`, as in `https://api.upload-post.com/api`. */
  baseUrl: string;
  apiKey: string;
  gate: ProviderRateLimit;
  clock: Clock;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const CONCURRENT_REQUESTS = 4;

export function createPublisher(options: PublisherOptions): Publisher {
  const http = createProviderHttp({
    provider: 'publisher',
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { authorization: `Apikey ${options.apiKey}` },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    gate: options.gate,
    limit: limitConcurrency(CONCURRENT_REQUESTS),
    clock: options.clock,
    resetInSeconds: secondsUntilUnixTime,
    isOverallLimit,
    isOwnRefusal: maps.isPublishersRefusal,
    reasonOf: maps.publisherReason,
  });
  return {
    ensureProfile: async (username) => {
      const call = { method: 'POST', path: '/uploadposts/users', json: { username } } as const;
      await accepting('conflict', () => http(call, anyAnswer));
    },
    readAccounts: (username) => readAccounts(http, username),
    deleteProfile: async (username) => {
      const call = { method: 'DELETE', path: '/uploadposts/users', json: { username } } as const;
      await accepting('not_found', () => http(call, anyAnswer));
    },
    connectPage: (username, platform) =>
      connectPage(http, username, maps.PROVIDER_PLATFORM[platform]),
    scheduled: (username) => readSchedule(http, username),
    history: (username) => readHistory(http, username),
    performance: async (username, platforms) => {
      if (platforms.length === 0) return [];
      const path = `/analytics/${encodeURIComponent(username)}`;
      const query = { platforms: platforms.map((name) => maps.PROVIDER_PLATFORM[name]).join(',') };
      const parts = await http({ method: 'GET', path, query }, analyticsAnswer);
      return platforms.map((name) => maps.toPerformance(name, parts[maps.PROVIDER_PLATFORM[name]]));
    },
  };
}

async function accepting<T>(
  failure: ProviderError['failure'],
  call: () => Promise<T>,
): Promise<T | null> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof ProviderError && thrown.failure === failure) return null;
    throw thrown;
  }
}

async function readAccounts(http: ProviderHttp, username: string) {
  const path = `/uploadposts/users/${encodeURIComponent(username)}`;
  const answer = await accepting('not_found', () => http({ method: 'GET', path }, profileAnswer));
  if (answer === null) return null;
  const { profile } = answer;
  if (profile.username !== username) {
    throw new ProviderError('malformed', 'publisher answered with another profile.');
  }
  return maps.toAccounts(profile.social_accounts ?? {});
}

async function connectPage(http: ProviderHttp, username: string, platform: string) {
  const path = '/uploadposts/users/generate-jwt';
  const json = { username, platforms: [platform], show_calendar: false };
  const { access_url: url } = await http({ method: 'POST', path, json }, connectAnswer);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new ProviderError('malformed', 'publisher answered with no web address.');
  }
  return url;
}

function secondsUntilUnixTime(header: string, now: Date): number | null {
  const unixSeconds = Number(header);
  return Number.isFinite(unixSeconds) && unixSeconds > 0
    ? unixSeconds - now.getTime() / SECOND_MS
    : null;
}

/** False for publishing quotas, also 429. */
function isOverallLimit(body: unknown): boolean {
  return !(typeof body === 'object' && body !== null && ('violations' in body || 'usage' in body));
}
