import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';

/** Requests per 60 seconds, from the specification. */
export const LIMITS = {
  default: { points: 240, by: 'identity' },
  logs: { points: 60, by: 'identity' },
  events: { points: 600, by: 'key' },
  experiments: { points: 240, by: 'keyAndAddress' },
  flags: { points: 240, by: 'keyAndPerson' },
  flagsOfAddress: { points: 12_000, by: 'keyAndAddress' },
  purchases: { points: 1_200, by: 'app' },
  offers: { points: 30, by: 'keyAndAddress' },
  offersOfPerson: { points: 10, by: 'account' },
  /** The store sends from a few addresses; apps have their own limit. */
  notifications: { points: 6_000, by: 'address' },
  notificationsOfApp: { points: 600, by: 'app' },
  signIn: { points: 10, by: 'address' },
  /** By /48 of IPv6. */
  signInSite: { points: 100, by: 'address' },
  signInAccount: { points: 10, by: 'account' },
  /** Unknown devices together. */
  signInAnywhere: { points: 100, by: 'account' },
  failedAuthentication: { points: 60, by: 'address' },
  failedAuthenticationSite: { points: 600, by: 'address' },
  /** Signed data not from the store; devices count with their app. */
  invalidSignature: { points: 60, by: 'address' },
} as const;

export type LimitName = keyof typeof LIMITS;
const WINDOW_SECONDS = 60;

export type LimitState = { limit: number; remaining: number; resetSeconds: number };

export type RateLimits = {
  take: (name: LimitName, key: string, raisedPoints?: number) => Promise<LimitState>;
  check: (name: LimitName, key: string) => Promise<void>;
  giveBack: (name: LimitName, key: string) => Promise<void>;
};

/** IETF draft "RateLimit header fields for HTTP". */
export function limitHeaders(name: LimitName, state: LimitState): Record<string, string> {
  return {
    'ratelimit-policy': `"${name}";q=${state.limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
  };
}

export class RateLimited extends AppError {
  constructor(
    readonly limitName: LimitName,
    readonly state: LimitState,
  ) {
    super('rate_limited', 'Too many requests.', {
      hint: `At most ${state.limit} in ${WINDOW_SECONDS} seconds.`,
      retryAfterSeconds: state.resetSeconds,
    });
  }
}

/** Memory without Redis: a limiter must not cause an outage. */
export function createRateLimits(scale: number, redis?: Redis): RateLimits {
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterFor = (name: LimitName, points: number): RateLimiterAbstract => {
    const id = `${name}:${points}`;
    const existing = limiters.get(id);
    if (existing) return existing;
    const options = { keyPrefix: `limit:${id}`, points, duration: WINDOW_SECONDS };
    const memory = new RateLimiterMemory(options);
    const limiter = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory })
      : memory;
    limiters.set(id, limiter);
    return limiter;
  };

  const pointsOf = (name: LimitName, raisedPoints?: number) =>
    Math.max(1, Math.round((raisedPoints ?? LIMITS[name].points) * scale));
  const stateOf = (result: RateLimiterRes, points: number): LimitState => ({
    limit: points,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / SECOND_MS)),
  });

  return {
    take: async (name, key, raisedPoints) => {
      const points = pointsOf(name, raisedPoints);
      try {
        return stateOf(await limiterFor(name, points).consume(key), points);
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) throw new RateLimited(name, stateOf(thrown, points));
        throw thrown;
      }
    },
    check: async (name, key) => {
      const points = pointsOf(name);
      const counter = await limiterFor(name, points).get(key);
      if (counter === null || counter.remainingPoints > 0) return;
      throw new RateLimited(name, stateOf(counter, points));
    },
    giveBack: async (name, key) => {
      await limiterFor(name, pointsOf(name)).reward(key);
    },
  };
}
