import { LRUCache } from 'lru-cache';
import type { AppScope } from '../../shared/app.ts';
import { must, at } from '../../shared/assert.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseUnavailable, type Sql, type Db } from '../../storage/postgres.ts';
import { armEnds, bucketBy } from './assignment.ts';
import { isInLayer } from './layers.ts';
import type { Experiment } from './model.ts';
import { selectOverridesAmong } from './overrides-queries.ts';
import { type AssignmentRules, selectAssignmentRules, selectExperiments } from './queries.ts';

export type ServedExperiment = Pick<Experiment, 'id' | 'layer'> & {
  arms: readonly { id: string; weight: number }[];
  shippedArmId: string | null;
  overrides: ReadonlyMap<string, string>;
};

export async function selectServedExperiments(
  db: Db,
  scope: AppScope,
  ids: readonly string[],
): Promise<ServedExperiment[]> {
  const among = new Set(ids);
  const found = (await selectExperiments(db, scope))
    .filter(({ id, status, shipped }) => among.has(id) && (status === 'running' || shipped))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const running = found.flatMap(({ id, status }) => (status === 'running' ? [id] : []));
  const overrides = await selectOverridesAmong(db, scope, running);
  return found.map(({ id, arms, layer, status, shipped }) => ({
    id,
    layer,
    arms: arms.map((arm) => ({ id: arm.id, weight: arm.weight })),
    shippedArmId: status === 'running' ? null : (shipped?.armId ?? null),
    overrides: new Map(
      overrides.flatMap((one) =>
        one.experimentId === id ? [[one.anonymousId, one.armId] as const] : [],
      ),
    ),
  }));
}

export function armAssigner({
  id,
  arms,
  layer,
  overrides,
}: Omit<ServedExperiment, 'shippedArmId'>): (person: string) => { arm: number; byHand: boolean } {
  const ends = armEnds(arms.map(({ weight }) => weight));
  const bucketOfPerson = bucketBy(id);
  const isIn = layer === null ? () => true : isInLayer(layer);
  const assigned = ends.map((_, arm) => ({ arm, byHand: false }));
  const nowhere = { arm: -1, byHand: false };
  return (person) => {
    const byHand = overrides.size > 0 ? overrides.get(person) : undefined;
    const chosen = byHand === undefined ? -1 : arms.findIndex((one) => one.id === byHand);
    if (chosen >= 0) return { arm: chosen, byHand: true };
    if (!isIn(person)) return nowhere;
    const bucket = bucketOfPerson(person);
    return at(
      assigned,
      ends.findIndex((end) => bucket < end),
    );
  };
}

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
