import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import { must } from '../../shared/assert.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql } from '../../storage/postgres.ts';
import { type CompiledFlag, compileFlag, type Target } from './compile.ts';
import { selectServed, selectSetVersion } from './queries.ts';
import { createEvaluateAll } from './resolve-all.ts';

const MAX_APPS = 2_000;
/** Apps keep the last flags during an outage of the database. */
const GRACE_MS = DAY_MS;

/** The flags of an app as they were at one moment, by key. */
export type FlagSet = {
  appId: string;
  version: string;
  byKey: ReadonlyMap<string, CompiledFlag>;
  /** By key, as JSON. */
  evaluateAll: (target: Target) => string[];
};

export type FlagSets = {
  /** Reflects a change within 5 s. */
  find: (scope: AppScope) => Promise<FlagSet>;
  /** Applies a change to this process at once. */
  forget: (appId: string) => void;
};

async function load(sql: Sql, scope: AppScope, version: string): Promise<FlagSet> {
  const flags = (await selectServed(sql, scope)).map(compileFlag);
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  return { appId: scope.appId, version, byKey, evaluateAll: createEvaluateAll(flags) };
}

export function createFlagSets(sql: Sql, clock: Clock): FlagSets {
  const sets = new VerifiedCache<FlagSet>({
    clock,
    maxEntries: MAX_APPS,
    isAway: isDatabaseUnavailable,
  });
  const loaded = new LRUCache<string, FlagSet>({ max: MAX_APPS });
  // The version first: flags that are newer than it are read again next time.
  const verify = async (scope: AppScope) => {
    const version = await selectSetVersion(sql, scope);
    const before = loaded.get(scope.appId);
    if (before?.version === version) return before;
    const set = await load(sql, scope, version);
    loaded.set(scope.appId, set);
    return set;
  };
  return {
    find: async (scope) => {
      const set = await sets.get(scope.appId, () => verify(scope), { graceMs: GRACE_MS });
      return must(set, 'an app without flags has an empty set');
    },
    forget: (appId) => {
      loaded.delete(appId);
      sets.forget((set) => set.appId === appId);
    },
  };
}

declare module '../../context.ts' {
  interface Deps {
    flagSets: FlagSets;
  }
}
