import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import { must } from '../../shared/assert.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql } from '../../storage/postgres.ts';
import { type AssignmentRules, selectAssignmentRules } from './queries.ts';

const MAX_APPS = 20_000;
const MAX_EXPOSURES = 200_000;
/** During an outage of the database. */
const GRACE_MS = DAY_MS;

export type Assignments = {
  /** Reflects a start or stop within 5 s. */
  rules: (scope: AppScope) => Promise<AssignmentRules>;
  isRecorded: (exposureId: string) => boolean;
  markRecorded: (exposureId: string) => void;
};

export function createAssignments(sql: Sql, clock: Clock): Assignments {
  const rules = new VerifiedCache<AssignmentRules>({
    clock,
    maxEntries: MAX_APPS,
    isAway: isDatabaseUnavailable,
  });
  const exposures = new LRUCache<string, true>({ max: MAX_EXPOSURES, ttl: DAY_MS });
  return {
    rules: async (scope) => {
      const select = () => selectAssignmentRules(sql, scope);
      const cached = await rules.get(scope.appId, select, { graceMs: GRACE_MS });
      return must(cached, 'the query always finds rules');
    },
    isRecorded: (id) => exposures.has(id),
    markRecorded: (id) => exposures.set(id, true),
  };
}

declare module '../../context.ts' {
  interface Deps {
    assignments: Assignments;
  }
}
