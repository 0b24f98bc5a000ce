import { LRUCache } from 'lru-cache';
import type { KnownDevice } from '../../shared/principal.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql } from '../../storage/postgres.ts';
import { type FoundDevice, selectDeviceByHash } from './queries.ts';
import { hashSecret, isWellFormedSecret } from './secret.ts';

/** Validity of a verified key during an outage of PostgreSQL. */
const GRACE_MS = DAY_MS;
const MAX_CACHED_KEYS = 50_000;

export type FindOptions = {
  /** Before the lookup of an uncached key, perhaps a guess. */
  beforeGuess?: () => Promise<void>;
};

export type DeviceKeys = {
  /**
   * Sees other processes' revocations within 5 s. Throws `unavailable` for an uncached key during
   * an outage: clients drop a batch on 401 and keep it on 503.
   */
  find: (secret: string, options?: FindOptions) => Promise<FoundDevice | 'malformed'>;
  /** Applies a revocation or an app's deletion to this process at once. */
  forget: (matches: (device: KnownDevice) => boolean) => void;
};

export function createDeviceKeys(sql: Sql, clock: Clock): DeviceKeys {
  // By secret hash: revocation is final.
  const revoked = new LRUCache<string, true>({ max: MAX_CACHED_KEYS });
  const devices = new VerifiedCache<KnownDevice>({
    clock,
    maxEntries: MAX_CACHED_KEYS,
    isAway: isDatabaseUnavailable,
  });
  const lookUp = async (hash: Uint8Array, id: string): Promise<KnownDevice | null> => {
    const device = await selectDeviceByHash(sql, hash);
    if (device === 'revoked') revoked.set(id, true);
    return typeof device === 'string' ? null : device;
  };
  return {
    find: async (secret, { beforeGuess } = {}) => {
      if (!isWellFormedSecret(secret)) return 'malformed';
      const hash = hashSecret(secret);
      const id = hash.toString('base64');
      if (revoked.has(id)) return 'revoked';
      if (!devices.has(id)) await beforeGuess?.();
      const device = await devices.get(id, () => lookUp(hash, id), { graceMs: GRACE_MS });
      return device ?? (revoked.has(id) ? 'revoked' : 'unknown');
    },
    forget: (matches) => devices.forget(matches),
  };
}

declare module '../../context.ts' {
  interface Deps {
    deviceKeys: DeviceKeys;
  }
}
