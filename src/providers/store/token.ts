import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type AppStoreKey, signAppStoreToken } from '../../shared/app-store-token.ts';
import { must } from '../../shared/assert.ts';
import { type Clock, SECOND_MS } from '../../shared/time.ts';

const LIFE = { lifetimeSeconds: 12 * 60, backdatedSeconds: 45 };
const RENEW_BEFORE_SECONDS = 2 * 60;
const USABLE_MS = (LIFE.lifetimeSeconds - LIFE.backdatedSeconds - RENEW_BEFORE_SECONDS) * SECOND_MS;
const MAX_TOKENS = 2_000;

/** A bearer token for App Store Connect. */
export function mintToken(key: AppStoreKey, now: Date): Promise<string> {
  return signAppStoreToken(key, LIFE, now);
}

/** Keeps each key's token until two minutes before it ends. */
export function tokenCache(clock: Clock): (key: AppStoreKey) => Promise<string> {
  const tokens = new LRUCache<string, string, AppStoreKey>({
    max: MAX_TOKENS,
    // Usable while younger than this; the cache keeps what is exactly as old as its `ttl`.
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
