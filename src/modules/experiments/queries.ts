import { parser } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { type Arm, Arms, type Experiment, ExperimentStatus } from './model.ts';

export type AppScope = { orgId: string; appId: string | null };

type ExperimentRow = {
  experiment_id: string;
  app_id: string;
  name: string;
  status: string;
  arms: unknown;
  created_at: Date;
  started_at: Date | null;
  stopped_at: Date | null;
};

const armsParser = parser(Arms, 'arms of a stored experiment');
const statusParser = parser(ExperimentStatus, 'status of a stored experiment');

const toExperiment = (row: ExperimentRow): Experiment => ({
  id: row.experiment_id,
  appId: row.app_id,
  name: row.name,
  status: statusParser.parse(row.status),
  arms: armsParser.parse(row.arms),
  createdAt: toIso(row.created_at),
  startedAt: toIsoOrNull(row.started_at),
  stoppedAt: toIsoOrNull(row.stopped_at),
});

/** Newest first. */
export async function selectExperiments(db: Db, scope: AppScope): Promise<Experiment[]> {
  const rows = await db<ExperimentRow[]>`
    SELECT * FROM experiments WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
    ORDER BY created_at DESC, experiment_id DESC`;
  return rows.map(toExperiment);
}

export async function selectExperiment(
  db: Db,
  scope: AppScope,
  id: string,
): Promise<Experiment | null> {
  const [row] = await db<ExperimentRow[]>`
    SELECT * FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND experiment_id = ${id}`;
  return row ? toExperiment(row) : null;
}

export type StartedExperiment = Experiment & { startedAt: string };

/** The experiment that runs, else the one that was started last. */
export async function selectLatestStarted(
  db: Db,
  scope: AppScope,
): Promise<StartedExperiment | null> {
  const [row] = await db<ExperimentRow[]>`
    SELECT * FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND started_at IS NOT NULL
    ORDER BY status = 'running' DESC, started_at DESC LIMIT 1`;
  const found = row && toExperiment(row);
  return found?.startedAt ? { ...found, startedAt: found.startedAt } : null;
}

export async function experimentExists(db: Db, scope: AppScope, id: string): Promise<boolean> {
  return (await selectExperiment(db, scope, id)) !== null;
}

/** The name of an experiment that deals out this onboarding and is not stopped, or null. */
export async function experimentUsing(
  db: Db,
  scope: AppScope,
  onboardingId: string,
): Promise<string | null> {
  const [row] = await db<{ name: string }[]>`
    SELECT name FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND status <> 'stopped'
      AND arms @> ${JSON.stringify([{ onboardingId }])}::text::jsonb
    ORDER BY created_at LIMIT 1`;
  return row?.name ?? null;
}

type NewExperiment = {
  id: string;
  orgId: string;
  appId: string;
  name: string;
  arms: readonly Arm[];
  at: Date;
};

export async function insertExperiment(tx: Tx, one: NewExperiment): Promise<void> {
  await tx`
    INSERT INTO experiments (experiment_id, org_id, app_id, name, status, arms, created_at)
    VALUES (${one.id}, ${one.orgId}, ${one.appId}, ${one.name}, 'draft',
      ${JSON.stringify(one.arms)}::text::jsonb, ${one.at})`;
}

/** Throws the unique violation `experiments_one_running` when another one runs. */
export async function updateExperiment(tx: Tx, orgId: string, one: Experiment): Promise<void> {
  await tx`
    UPDATE experiments SET name = ${one.name}, status = ${one.status},
      arms = ${JSON.stringify(one.arms)}::text::jsonb,
      started_at = ${one.startedAt}, stopped_at = ${one.stoppedAt}
    WHERE org_id = ${orgId} AND app_id = ${one.appId} AND experiment_id = ${one.id}`;
}

export async function deleteExperimentRow(tx: Tx, scope: AppScope, id: string): Promise<boolean> {
  const rows = await tx`
    DELETE FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND experiment_id = ${id}
      AND status <> 'running'
    RETURNING 1`;
  return rows.length > 0;
}

export type DealtOnboarding = { id: string; name: string; config: unknown };
/** What a device of this app may be shown: the running experiment and the onboardings. */
export type Dealing = {
  experiment: Experiment | null;
  onboardings: DealtOnboarding[];
  defaultId: string | null;
};

export async function selectDealing(
  db: Db,
  scope: { orgId: string; appId: string },
): Promise<Dealing> {
  const [running] = await db<ExperimentRow[]>`
    SELECT * FROM experiments
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND status = 'running'`;
  const experiment = running ? toExperiment(running) : null;
  const ids = experiment?.arms.map((arm) => arm.onboardingId) ?? [];
  const rows = await db<
    { onboarding_id: string; name: string; config: unknown; is_default: boolean }[]
  >`
    SELECT onboarding_id, name, config, is_default FROM onboardings
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (is_default OR onboarding_id = ANY(${ids}))`;
  return {
    experiment,
    onboardings: rows.map(({ onboarding_id, name, config }) => ({
      id: onboarding_id,
      name,
      config,
    })),
    defaultId: rows.find((row) => row.is_default)?.onboarding_id ?? null,
  };
}
