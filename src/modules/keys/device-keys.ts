import type { KnownDevice } from '../../shared/principal.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseAway, type Sql } from '../../storage/postgres.ts';
import { type FoundDevice, selectDeviceByHash } from './queries.ts';
import { hashSecret, isWellFormedSecret } from './secret.ts';

/** With PostgreSQL away, a key that was good within this time still counts. */
const GRACE_MS = DAY_MS;
const MAX_KNOWN_KEYS = 50_000;

export type FindOptions = {
  /** Runs before a look-up of a key that was neither good nor revoked before: it may be a guess. */
  beforeGuess?: () => Promise<void>;
};

export type DeviceKeys = {
  /**
   * The app behind a publishable key; a revocation by another process is felt within 5 s, and for
   * good. Throws `unavailable` for the unknown while the database is away: clients drop a batch on
   * 401 and keep it on 503.
   */
  find: (secret: string, options?: FindOptions) => Promise<FoundDevice | 'malformed'>;
  /** Makes this process feel a revocation or the deletion of an app at once. */
  forget: (matches: (device: KnownDevice) => boolean) => void;
};

/** Keys that never come back, so that asking with one costs nothing; the oldest go first. */
function createRevoked() {
  const revoked = new Set<string>();
  return {
    has: (id: string) => revoked.has(id),
    add: (id: string) => {
      revoked.add(id);
      const [oldest] = revoked;
      if (revoked.size > MAX_KNOWN_KEYS && oldest !== undefined) revoked.delete(oldest);
    },
  };
}

export function createDeviceKeys(sql: Sql, clock: Clock): DeviceKeys {
  const revoked = createRevoked();
  const known = new VerifiedCache<KnownDevice>({
    clock,
    maxEntries: MAX_KNOWN_KEYS,
    isAway: isDatabaseAway,
  });
  const lookUp = async (hash: Uint8Array, id: string): Promise<KnownDevice | null> => {
    const found = await selectDeviceByHash(sql, hash);
    if (found === 'revoked') revoked.add(id);
    return typeof found === 'string' ? null : found;
  };
  return {
    find: async (secret, { beforeGuess } = {}) => {
      if (!isWellFormedSecret(secret)) return 'malformed';
      const hash = hashSecret(secret);
      const id = hash.toString('base64');
      if (revoked.has(id)) return 'revoked';
      if (!known.has(id)) await beforeGuess?.();
      const device = await known.get(id, () => lookUp(hash, id), { graceMs: GRACE_MS });
      return device ?? (revoked.has(id) ? 'revoked' : 'unknown');
    },
    forget: (matches) => known.forget(matches),
  };
}

declare module '../../context.ts' {
  interface Deps {
    deviceKeys: DeviceKeys;
  }
}
