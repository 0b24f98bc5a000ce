import type { AppScope } from '../../shared/app.ts';
import { toIso } from '../../shared/time.ts';
import { type Db, hasRows, done } from '../../storage/postgres.ts';
import { namedIn, type PersonPlace } from '../../storage/stored-rows.ts';
import type { Override } from './model.ts';

export async function selectOverrides(
  db: Db,
  { orgId, appId }: AppScope,
  experimentId: string,
): Promise<Override[]> {
  const rows = await db<{ anonymousId: string; armId: string; createdAt: Date }[]>`
    SELECT anonymous_id AS "anonymousId", arm_id AS "armId", created_at AS "createdAt"
    FROM experiment_overrides
    WHERE org_id = ${orgId} AND app_id = ${appId} AND experiment_id = ${experimentId}
    ORDER BY created_at DESC, anonymous_id`;
  return rows.map((row) => ({ ...row, createdAt: toIso(row.createdAt) }));
}

export const selectOverridesAmong = (
  db: Db,
  { orgId, appId }: AppScope,
  experimentIds: readonly string[],
) => db<{ experimentId: string; anonymousId: string; armId: string }[]>`
    SELECT experiment_id AS "experimentId", anonymous_id AS "anonymousId", arm_id AS "armId"
    FROM experiment_overrides
    WHERE org_id = ${orgId} AND app_id = ${appId} AND experiment_id = ANY(${[...experimentIds]})
    ORDER BY experiment_id, anonymous_id`;

export const upsertOverride = (
  db: Db,
  { orgId, appId }: AppScope,
  { experimentId, anonymousId, armId, createdAt }: Override & { experimentId: string },
) =>
  done(db`
    INSERT INTO experiment_overrides
      (org_id, app_id, experiment_id, anonymous_id, arm_id, created_at)
    VALUES (${orgId}, ${appId}, ${experimentId}, ${anonymousId}, ${armId}, ${createdAt})
    ON CONFLICT (experiment_id, anonymous_id) DO UPDATE SET arm_id = EXCLUDED.arm_id`);

export const deleteOverride = (
  db: Db,
  { orgId, appId }: AppScope,
  { experimentId, anonymousId }: { experimentId: string; anonymousId: string },
) =>
  hasRows(db`
    DELETE FROM experiment_overrides
    WHERE org_id = ${orgId} AND app_id = ${appId} AND experiment_id = ${experimentId}
      AND anonymous_id = ${anonymousId}
    RETURNING 1`);

export const OVERRIDES_OF_PERSON: PersonPlace = {
  kind: 'experiment_override',
  table: 'experiment_overrides',
  ids: ['anonymous_id'],
  key: (db) => db`experiment_id || ' ' || anonymous_id`,
  where: namedIn('anonymous_id', 'devices'),
};
