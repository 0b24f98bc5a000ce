import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import { must } from '../../shared/assert.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql } from '../../storage/postgres.ts';
import { type ServedExperiment, selectServedExperiments } from '../experiments/index.ts';
import { type CompiledFlag, compileFlag, segmentsIn } from './compile.ts';
import { type StoredFlag, selectServed, selectSetVersion } from './queries.ts';

const MAX_APPS = 2_000;
/** Apps keep the last flags during an outage of the database. */
const GRACE_MS = DAY_MS;

/** At one moment, by key. */
export type FlagSet = {
  appId: string;
  version: string;
  flags: readonly StoredFlag[];
  /** Experiments in rules that give people arms. */
  experiments: readonly ServedExperiment[];
  byKey: ReadonlyMap<string, CompiledFlag>;
  segments: readonly string[];
};

export type FlagSets = {
  /** Reflects a change within 5 s. */
  find: (scope: AppScope) => Promise<FlagSet>;
  /** Applies a change to this process at once. */
  forget: (appId: string) => void;
};

const experimentsIn = (flags: readonly StoredFlag[]): string[] => [
  ...new Set(
    flags.flatMap(({ definition }) =>
      definition.rules.flatMap(({ experiment = [] }) => experiment),
    ),
  ),
];

type Compiling = Pick<FlagSet, 'appId' | 'version' | 'flags' | 'experiments'>;

function compile({ appId, version, flags, experiments }: Compiling): FlagSet {
  const byId = new Map(experiments.map((one) => [one.id, one]));
  const context = { experiments: byId, tests: new Map() };
  const compiled = flags.map((flag) => compileFlag(flag, context));
  const byKey = new Map(compiled.map((flag) => [flag.key, flag]));
  const segments = [...new Set(flags.flatMap(({ definition }) => segmentsIn(definition)))];
  return { appId, version, flags, experiments, byKey, segments };
}

type Loading = { sql: Sql; before: FlagSet | undefined };

/** `before`, unless a flag or one of their experiments has changed since. */
async function loadAfter({ sql, before }: Loading, scope: AppScope): Promise<FlagSet> {
  // The version first: flags that are newer than it are read again next time.
  const version = await selectSetVersion(sql, scope);
  const isSame = before?.version === version;
  const flags = isSame ? before.flags : await selectServed(sql, scope);
  const ids = experimentsIn(flags);
  const experiments = ids.length === 0 ? [] : await selectServedExperiments(sql, scope, ids);
  if (isSame && Bun.deepEquals(experiments, before.experiments)) return before;
  return compile({ appId: scope.appId, version, flags, experiments });
}

export function createFlagSets(sql: Sql, clock: Clock): FlagSets {
  const sets = new VerifiedCache<FlagSet>({
    clock,
    maxEntries: MAX_APPS,
    isAway: isDatabaseUnavailable,
  });
  const loaded = new LRUCache<string, FlagSet>({ max: MAX_APPS });
  const verify = async (scope: AppScope) => {
    const set = await loadAfter({ sql, before: loaded.get(scope.appId) }, scope);
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
