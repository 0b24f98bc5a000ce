import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
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
  const profiles = new LRUCache<string, Promise<PurchaseProfile | null>>({
    max: MAX_APPS,
    ttl: FRESH_MS,
  });
  return {
    forget: () => profiles.clear(),
    find: (scope) => {
      const cached = profiles.get(scope.appId);
      if (cached) return cached;
      const profile = selectProfile(sql, scope);
      profiles.set(scope.appId, profile);
      profile.catch(() => profiles.delete(scope.appId));
      return profile;
    },
  };
}

declare module '../../../context.ts' {
  interface Deps {
    purchaseProfiles: Profiles;
  }
}
