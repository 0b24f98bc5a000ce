import { rowsOf } from '../../storage/row-parser.ts';
import type { AppScope } from '../../shared/app.ts';
import { must, onlyRow } from '../../shared/assert.ts';
import { parser } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { DEFAULT_MEASUREMENT, type Measurement } from './measurement.model.ts';
import { type Arm, Experiment, isOfFlags, type Layer } from './model.ts';
import { selectOverrides } from './overrides-queries.ts';

type ExperimentRow = {
  createdAt: Date;
  startedAt: Date | null;
  stoppedAt: Date | null;
  /** Without the settings that came later. */
  measurement: object | null;
};

const experiments = parser(Experiment, 'stored experiment');

const toExperiment = (row: ExperimentRow): Experiment =>
  experiments.parse({
    ...row,
    createdAt: toIso(row.createdAt),
    startedAt: toIsoOrNull(row.startedAt),
    stoppedAt: toIsoOrNull(row.stoppedAt),
    measurement: { ...DEFAULT_MEASUREMENT, ...row.measurement },
  });
const experimentRows = rowsOf(toExperiment);

const columns = (db: Db) => db`
  experiment_id AS id, app_id AS "appId", name, status, arms, created_at AS "createdAt",
  started_at AS "startedAt", stopped_at AS "stoppedAt", measurement, shipped`;
const noLayer = (db: Db) => db`NULL::jsonb AS layer`;

/** Experiments of onboardings and of flags. */
const both = (db: Db, { orgId, appId }: AppScope) => db`(
  SELECT ${columns(db)}, ${noLayer(db)} FROM experiments
  WHERE org_id = ${orgId} AND app_id = ${appId}
  UNION ALL
  SELECT ${columns(db)}, layer FROM flag_experiments
  WHERE org_id = ${orgId} AND app_id = ${appId}
) AS both_kinds`;

export const selectExperiments = (db: Db, scope: AppScope) =>
  experimentRows.all(db<ExperimentRow[]>`
    SELECT * FROM ${both(db, scope)} ORDER BY "createdAt" DESC, id DESC`);

export const selectExperiment = (db: Db, scope: AppScope, id: string) =>
  experimentRows.first(db<ExperimentRow[]>`
    SELECT * FROM ${both(db, scope)} WHERE id = ${id}`);

export type StartedExperiment = Experiment & { startedAt: string };

export async function selectLatestStarted(
  db: Db,
  scope: AppScope,
): Promise<StartedExperiment | null> {
  const [row] = await db<ExperimentRow[]>`
    SELECT * FROM ${both(db, scope)} WHERE "startedAt" IS NOT NULL
    ORDER BY status = 'running' DESC,
      status = 'running' AND arms -> 0 ->> 'onboardingId' IS NOT NULL DESC,
      "startedAt" DESC LIMIT 1`;
  if (!row) return null;
  const experiment = toExperiment(row);
  return { ...experiment, startedAt: must(experiment.startedAt, 'the query selects started ones') };
}

export async function experimentExists(
  db: Db,
  { orgId, appId }: { orgId: string; appId: string | null },
  id: string,
): Promise<boolean> {
  return appId !== null && (await selectExperiment(db, { orgId, appId }, id)) !== null;
}

type NewExperiment = {
  id: string;
  name: string;
  arms: readonly Arm[];
  layer: Layer | null;
  measurement: Measurement;
  at: Date;
};

export async function insertExperiment(
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, name, arms, layer, measurement, at }: NewExperiment,
): Promise<Experiment> {
  const names = tx`experiment_id, org_id, app_id, name, status, arms, measurement, created_at`;
  const values = tx`${id}, ${orgId}, ${appId}, ${name}, 'draft',
    ${JSON.stringify(arms)}::text::jsonb, ${JSON.stringify(measurement)}::text::jsonb, ${at}`;
  const rows = isOfFlags(arms)
    ? await tx<ExperimentRow[]>`
        INSERT INTO flag_experiments (${names}, layer)
        VALUES (${values}, ${layer && JSON.stringify(layer)}::text::jsonb)
        RETURNING ${columns(tx)}, layer`
    : await tx<ExperimentRow[]>`
        INSERT INTO experiments (${names}) VALUES (${values})
        RETURNING ${columns(tx)}, ${noLayer(tx)}`;
  return toExperiment(onlyRow(rows));
}

/** Throws the unique violation `experiments_one_running`. */
export async function updateExperiment(
  tx: Tx,
  orgId: string,
  { id, appId, name, status, arms, layer, startedAt, stoppedAt, measurement, shipped }: Experiment,
): Promise<void> {
  const fields = tx`name = ${name}, status = ${status},
    arms = ${JSON.stringify(arms)}::text::jsonb,
    started_at = ${startedAt}, stopped_at = ${stoppedAt},
    measurement = ${JSON.stringify(measurement)}::text::jsonb,
    shipped = ${shipped && JSON.stringify(shipped)}::text::jsonb`;
  const where = tx`org_id = ${orgId} AND app_id = ${appId} AND experiment_id = ${id}`;
  if (isOfFlags(arms)) {
    await tx`
      UPDATE flag_experiments
      SET ${fields}, layer = ${layer && JSON.stringify(layer)}::text::jsonb WHERE ${where}`;
  } else {
    await tx`UPDATE experiments SET ${fields} WHERE ${where}`;
  }
}

export async function deleteExperimentRow(
  tx: Tx,
  { orgId, appId }: AppScope,
  id: string,
): Promise<boolean> {
  const stopped = tx`
    org_id = ${orgId} AND app_id = ${appId} AND experiment_id = ${id} AND status <> 'running'`;
  const rows = await tx`
    WITH ours AS (DELETE FROM experiments WHERE ${stopped} RETURNING 1),
      of_flags AS (DELETE FROM flag_experiments WHERE ${stopped} RETURNING 1)
    SELECT 1 FROM ours UNION ALL SELECT 1 FROM of_flags`;
  if (rows.length === 0) return false;
  await tx`
    DELETE FROM experiment_overrides
    WHERE org_id = ${orgId} AND app_id = ${appId} AND experiment_id = ${id}`;
  return true;
}

export type AssignmentRules = {
  experiment: Experiment | null;
  onboardings: { id: string; name: string; config: unknown }[];
  defaultId: string | null;
  overrides: ReadonlyMap<string, string>;
};

export async function selectAssignmentRules(db: Db, scope: AppScope): Promise<AssignmentRules> {
  const [running] = await db<ExperimentRow[]>`
    SELECT ${columns(db)}, ${noLayer(db)} FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND status = 'running'`;
  const experiment = running ? toExperiment(running) : null;
  const ids = experiment?.arms.flatMap((arm) => arm.onboardingId ?? []) ?? [];
  const rows = await db<{ id: string; name: string; config: unknown; isDefault: boolean }[]>`
    SELECT onboarding_id AS id, name, config, is_default AS "isDefault" FROM onboardings
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (is_default OR onboarding_id = ANY(${ids}))`;
  const overrides = experiment ? await selectOverrides(db, scope, experiment.id) : [];
  return {
    experiment,
    onboardings: rows.map(({ id, name, config }) => ({ id, name, config })),
    defaultId: rows.find((row) => row.isDefault)?.id ?? null,
    overrides: new Map(overrides.map(({ anonymousId, armId }) => [anonymousId, armId])),
  };
}

type RuleOfFlag = { key: string; armIds: string[] };

/** Rules of flags that give the arms of the experiment their values, by the keys of the flags. */
export const selectFlagRules = (tx: Tx, { orgId, appId }: AppScope, experimentId: string) => tx<
  RuleOfFlag[]
>`
    SELECT f.key, ARRAY(SELECT jsonb_object_keys(r.rule -> 'variations')) AS "armIds"
    FROM flags f, jsonb_array_elements(f.definition -> 'rules') AS r(rule)
    WHERE f.org_id = ${orgId} AND f.app_id = ${appId} AND r.rule ->> 'experiment' = ${experimentId}
    ORDER BY f.key COLLATE "C"`;
