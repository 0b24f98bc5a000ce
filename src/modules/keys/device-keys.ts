import { LRUCache } from 'lru-cache';
import { AppError } from '../../shared/errors.ts';
import { type Clock, DAY_MS, SECOND_MS, sleep } from '../../shared/time.ts';
import { isDatabaseAway, type Sql } from '../../storage/postgres.ts';
import { hashSecret, isWellFormedSecret } from './secret.ts';
import { type KnownDevice, selectDeviceByHash } from './store.ts';

/** A revocation is felt within this time. */
const FRESH_MS = 5 * SECOND_MS;
/** With PostgreSQL away, a key that was good within this time still counts. */
const GRACE_MS = DAY_MS;
/** A database that hangs must not hold up a key that is known. */
const PATIENCE_MS = SECOND_MS;
const MAX_KNOWN_KEYS = 50_000;

type Known = { device: KnownDevice; checkedAt: number };

export type DeviceKeys = {
  /**
   * The app behind a publishable key, or null when there is no such key. "Unknown" is asked
   * again each time, and throws `unavailable` while the database is away: clients drop a batch
   * on 401 and keep it on 503.
   */
  find: (secret: string) => Promise<KnownDevice | null>;
};

export function createDeviceKeys(sql: Sql, clock: Clock): DeviceKeys {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN_KEYS });
  const asking = new Map<string, Promise<KnownDevice | null>>();

  const remembered = (id: string, withinMs: number): KnownDevice | null => {
    const before = known.get(id);
    return before && clock().getTime() - before.checkedAt < withinMs ? before.device : null;
  };

  const ask = async (id: string, hash: Uint8Array): Promise<KnownDevice | null> => {
    try {
      const device = await selectDeviceByHash(sql, hash);
      if (device) known.set(id, { device, checkedAt: clock().getTime() });
      else known.delete(id);
      return device;
    } catch (cause) {
      const device = remembered(id, GRACE_MS);
      if (device) return device;
      if (!isDatabaseAway(cause)) throw cause;
      throw new AppError('unavailable', 'Keys cannot be checked right now.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
  };

  return {
    find: async (secret) => {
      if (!isWellFormedSecret(secret)) return null;
      const hash = hashSecret(secret);
      const id = hash.toString('base64');
      const fresh = remembered(id, FRESH_MS);
      if (fresh) return fresh;
      // Many requests of one app arrive together: one of them asks for all.
      const running = asking.get(id) ?? ask(id, hash).finally(() => asking.delete(id));
      asking.set(id, running);
      const stale = remembered(id, GRACE_MS);
      if (!stale) return running;
      running.catch(() => undefined);
      return Promise.race([running, sleep(PATIENCE_MS).then(() => stale)]);
    },
  };
}
