import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseAway, type Sql } from '../../storage/postgres.ts';
import { hashSecret, isWellFormedSecret } from './secret.ts';
import { type KnownDevice, selectDeviceByHash } from './store.ts';

/** With PostgreSQL away, a key that was good within this time still counts. */
const GRACE_MS = DAY_MS;
const MAX_KNOWN_KEYS = 50_000;

export type DeviceKeys = {
  /**
   * The app behind a publishable key, or null when there is no such key; a revocation is felt
   * within 5 s. Throws `unavailable` for the unknown while the database is away: clients drop a
   * batch on 401 and keep it on 503.
   */
  find: (secret: string) => Promise<KnownDevice | null>;
};

export function createDeviceKeys(sql: Sql, clock: Clock): DeviceKeys {
  const known = new VerifiedCache<KnownDevice>({
    clock,
    maxEntries: MAX_KNOWN_KEYS,
    isAway: isDatabaseAway,
  });
  return {
    find: async (secret) => {
      if (!isWellFormedSecret(secret)) return null;
      const hash = hashSecret(secret);
      return known.get(hash.toString('base64'), () => selectDeviceByHash(sql, hash), {
        graceMs: GRACE_MS,
      });
    },
  };
}
