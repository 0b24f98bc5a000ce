import { LRUCache } from 'lru-cache';
import type { KnownDevice, KnownFlagReader } from '../../shared/principal.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { type LookupOptions, VerifiedCache } from '../../shared/verified-cache.ts';
import { type Db, isDatabaseUnavailable, type Sql } from '../../storage/postgres.ts';
import type { KeyKind } from './model.ts';
import { type Found, selectDeviceByHash, selectFlagReaderByHash } from './queries.ts';
import { hashSecret, isWellFormedSecret } from './secret.ts';

/** Validity of a verified key during an outage of PostgreSQL. */
const GRACE_MS = DAY_MS;
const MAX_CACHED_KEYS = 50_000;

type KeyHolders<T> = {
  /**
   * Others' revocations within 5 s. Throws `unavailable` in an outage: clients drop a batch on 401
   * and keep it on 503.
   */
  find: (secret: string, options?: LookupOptions) => Promise<Found<T> | 'malformed'>;
  forget: (matches: (holder: T) => boolean) => void;
};

export type DeviceKeys = KeyHolders<KnownDevice>;
export type FlagKeys = KeyHolders<KnownFlagReader>;

function createKeyHolders<T>(
  { sql, clock, kind }: { sql: Sql; clock: Clock; kind: KeyKind },
  select: (db: Db, hash: Uint8Array) => Promise<Found<T>>,
): KeyHolders<T> {
  const revoked = new LRUCache<string, true>({ max: MAX_CACHED_KEYS });
  const holders = new VerifiedCache<T>({
    clock,
    maxEntries: MAX_CACHED_KEYS,
    isAway: isDatabaseUnavailable,
  });
  const lookUp = async (hash: Uint8Array, id: string): Promise<T | null> => {
    const holder = await select(sql, hash);
    if (holder === 'revoked') revoked.set(id, true);
    return holder === 'revoked' || holder === 'unknown' ? null : holder;
  };
  return {
    find: async (secret, options) => {
      if (!isWellFormedSecret(secret, kind)) return 'malformed';
      const hash = hashSecret(secret);
      const id = hash.toString('base64');
      if (revoked.has(id)) return 'revoked';
      const holder = await holders.get(id, () => lookUp(hash, id), {
        graceMs: GRACE_MS,
        ...options,
      });
      return holder ?? (revoked.has(id) ? 'revoked' : 'unknown');
    },
    forget: (matches) => holders.forget(matches),
  };
}

export const createDeviceKeys = (sql: Sql, clock: Clock): DeviceKeys =>
  createKeyHolders({ sql, clock, kind: 'events' }, selectDeviceByHash);

export const createFlagKeys = (sql: Sql, clock: Clock): FlagKeys =>
  createKeyHolders({ sql, clock, kind: 'flags' }, selectFlagReaderByHash);
