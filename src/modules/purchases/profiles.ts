import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { type PurchaseProfile, selectProfile } from './settings-queries.ts';

/** A change in another process takes effect within this time. */
const FRESH_MS = 2 * SECOND_MS;
const MAX_APPS = 20_000;

export type Profiles = {
  /** Null for a deleted app. */
  find: (scope: { orgId: string; appId: string }) => Promise<PurchaseProfile | null>;
  /** Makes a change in this process take effect at once. */
  forget: () => void;
};

/** Caches profiles, so that reading an entitlement takes one query. */
export function createProfiles(sql: Sql): Profiles {
  const known = new LRUCache<string, Promise<PurchaseProfile | null>>({
    max: MAX_APPS,
    ttl: FRESH_MS,
  });
  return {
    forget: () => known.clear(),
    find: (scope) => {
      const fresh = known.get(scope.appId);
      if (fresh) return fresh;
      const asked = selectProfile(sql, scope);
      known.set(scope.appId, asked);
      asked.catch(() => known.delete(scope.appId));
      return asked;
    },
  };
}

declare module '../../context.ts' {
  interface Deps {
    purchaseProfiles: Profiles;
  }
}
