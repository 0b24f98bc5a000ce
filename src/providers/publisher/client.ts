import { limitConcurrency } from '../../shared/concurrency.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import type { ProviderGate } from '../../shared/provider-gate.ts';
import { createProviderHttp, type ProviderHttp } from '../../shared/provider-http.ts';
import type { Parser } from '../../shared/schema.ts';
import { type Clock, SECOND_MS } from '../../shared/time.ts';
import {
  isPublishersRefusal,
  publisherReason,
  theirPlatform,
  toAccounts,
  toPerformance,
} from './map.ts';
import { readHistory, readSchedule } from './pages.ts';
import type { Publisher } from './port.ts';
import { analyticsAnswer, connectAnswer, profileAnswer } from './wire.ts';

export type PublisherOptions = {
  /** With the `/api` prefix, as in `https://api.upload-post.com/api`. */
  baseUrl: string;
  apiKey: string;
  gate: ProviderGate;
  clock: Clock;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const CONCURRENT_REQUESTS = 4;

/** Adapter for the upload-post API. */
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
    isOwnRefusal: isPublishersRefusal,
    reasonOf: publisherReason,
  });
  return {
    ensureProfile: async (username) => {
      await accepting('conflict', () =>
        http({ method: 'POST', path: '/uploadposts/users', json: { username } }),
      );
    },
    readAccounts: (username) => readAccounts(http, username),
    deleteProfile: async (username) => {
      await accepting('not_found', () =>
        http({ method: 'DELETE', path: '/uploadposts/users', json: { username } }),
      );
    },
    connectPage: (username, platform) => connectPage(http, username, theirPlatform(platform)),
    scheduled: (username) => readSchedule(http, username),
    history: (username) => readHistory(http, username),
    performance: async (username, platforms) => {
      if (platforms.length === 0) return [];
      const answer = await http({
        method: 'GET',
        path: `/analytics/${encodeURIComponent(username)}`,
        query: { platforms: platforms.map(theirPlatform).join(',') },
      });
      const parts = read(analyticsAnswer, answer);
      return platforms.map((platform) => toPerformance(platform, parts[theirPlatform(platform)]));
    },
  };
}

/** Null when the provider's answer is the one failure that is as good as success. */
async function accepting(
  failure: ProviderError['failure'],
  call: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof ProviderError && thrown.failure === failure) return null;
    throw thrown;
  }
}

async function readAccounts(http: ProviderHttp, username: string) {
  const path = `/uploadposts/users/${encodeURIComponent(username)}`;
  const answer = await accepting('not_found', () => http({ method: 'GET', path }));
  if (answer === null) return null;
  const { profile } = read(profileAnswer, answer);
  if (profile.username !== username) {
    throw new ProviderError('malformed', 'publisher answered with the profile of somebody else.');
  }
  return toAccounts(profile.social_accounts ?? {});
}

async function connectPage(http: ProviderHttp, username: string, platform: string) {
  const answer = await http({
    method: 'POST',
    path: '/uploadposts/users/generate-jwt',
    json: { username, platforms: [platform], show_calendar: false },
  });
  const url = read(connectAnswer, answer).access_url;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new ProviderError('malformed', 'publisher answered with no web address.');
  }
  return url;
}

/** Parses a success; a body of another shape is a `malformed` failure. */
function read<T>(parser: Parser<T>, answer: unknown): T {
  try {
    return parser.parse(answer);
  } catch (cause) {
    throw new ProviderError('malformed', 'publisher answered with another shape.', { cause });
  }
}

function secondsUntilUnixTime(header: string, now: Date): number | null {
  const unixSeconds = Number(header);
  return Number.isFinite(unixSeconds) && unixSeconds > 0
    ? unixSeconds - now.getTime() / SECOND_MS
    : null;
}

/** A monthly quota or one account's daily cap comes as a 429 too, and concerns publishing only. */
function isOverallLimit(body: unknown): boolean {
  return !(typeof body === 'object' && body !== null && ('violations' in body || 'usage' in body));
}
