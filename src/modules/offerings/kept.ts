import type { AppScope } from '../../shared/app.ts';
import { must } from '../../shared/assert.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql } from '../../storage/postgres.ts';
import type { Offerings } from './model.ts';
import { selectOfferings } from './queries.ts';

const MAX_APPS = 2_000;
const GRACE_MS = DAY_MS;

type Kept = { appId: string; offerings: Offerings };

export type KeptOfferings = {
  /** Reflects a change within 5 s. */
  find: (scope: AppScope) => Promise<Offerings>;
  forget: (appId: string) => void;
};

export function createOfferings(sql: Sql, clock: Clock): KeptOfferings {
  const kept = new VerifiedCache<Kept>({
    clock,
    maxEntries: MAX_APPS,
    isAway: isDatabaseUnavailable,
  });
  return {
    find: async (scope) => {
      const { appId } = scope;
      const read = async () => ({ appId, offerings: await selectOfferings(sql, scope) });
      const found = await kept.get(appId, read, { graceMs: GRACE_MS });
      return must(found, 'an app without offerings has an empty list').offerings;
    },
    forget: (appId) => kept.forget((one) => one.appId === appId),
  };
}
