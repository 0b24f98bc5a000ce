import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { type PurchaseProfile, selectProfile } from './settings-queries.ts';

const FRESH_MS = 2 * SECOND_MS;
const MAX_APPS = 20_000;

export type Profiles = {
  /** Null for a deleted app. */
  find: (scope: { orgId: string; appId: string }) => Promise<PurchaseProfile | null>;
  forget: () => void;
};

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
