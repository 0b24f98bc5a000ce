import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type AppStoreKey, signAppStoreToken } from '../../shared/app-store-token.ts';
import { must } from '../../shared/assert.ts';
import { type Clock, SECOND_MS } from '../../shared/time.ts';

const LIFE = { lifetimeSeconds: 12 * 60, backdatedSeconds: 45 };
const RENEW_BEFORE_SECONDS = 2 * 60;
const USABLE_MS = (LIFE.lifetimeSeconds - LIFE.backdatedSeconds - RENEW_BEFORE_SECONDS) * SECOND_MS;
const MAX_TOKENS = 2_000;

export function mintToken(key: AppStoreKey, now: Date): Promise<string> {
  return signAppStoreToken(key, LIFE, now);
}

/** Reuses tokens until two minutes before expiry. */
export function tokenCache(clock: Clock): (key: AppStoreKey) => Promise<string> {
  const tokens = new LRUCache<string, string, AppStoreKey>({
    max: MAX_TOKENS,
    // The cache keeps entries exactly as old as `ttl`.
    ttl: USABLE_MS - 1,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
    fetchMethod: (_id, _stale, { context }) => mintToken(context, clock()),
  });
  return async (key) => {
    const digest = createHash('sha256').update(key.privateKey).digest('hex');
    const id = `${key.issuerId}/${key.keyId}/${digest}`;
    return must(await tokens.fetch(id, { context: key }), 'every key has a token');
  };
}
