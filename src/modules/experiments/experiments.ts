import type { AppContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError, invalidInput, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { toIso } from '../../shared/time.ts';
import { brokenUniqueConstraint, type Tx } from '../../storage/postgres.ts';
import { findDefaultFunnel } from '../funnels/index.ts';
import { armEnds, BUCKETS } from './assignment.ts';
import { measurementOf } from './measurement.ts';
import {
  type ChangeExperimentInput,
  type CreateExperimentInput,
  type Experiment,
  MAX_EXPERIMENTS_PER_APP,
} from './model.ts';
import { lockOnboardings, selectOnboardings } from './onboardings/queries.ts';
import {
  deleteExperimentRow,
  insertExperiment,
  selectExperiment,
  selectExperiments,
  updateExperiment,
} from './queries.ts';
import { changed } from './transitions.ts';

export function listExperiments(ctx: AppContext<'sql'>): Promise<Experiment[]> {
  return selectExperiments(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
}

export async function readExperiment(
  { deps, orgId, app }: AppContext<'sql'>,
  { experimentId }: { experimentId: string },
): Promise<Experiment> {
  const experiment = await selectExperiment(deps.sql, { orgId, appId: app.id }, experimentId);
  if (!experiment) throw notFound();
  return experiment;
}

/** Reports tell arms by name. Throws `invalid_input` for the first duplicate. */
function checkNames(arms: readonly { name: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of arms.entries()) {
    if (seen.has(name)) throw invalidInput(`arms[${index}].name`, 'must be unlike any other arm');
    seen.add(name);
  }
}

/** Throws `invalid_input` for the first arm too small for anybody. */
function checkShares(arms: readonly { weight: number }[]): void {
  let start = 0;
  for (const [index, end] of armEnds(arms.map((arm) => arm.weight)).entries()) {
    if (end <= start) {
      throw invalidInput(
        `arms[${index}].weight`,
        `must be at least a ${BUCKETS}th of the sum of all weights: nobody would see this arm`,
      );
    }
    start = end;
  }
}

/** Throws `invalid_input` for the first unknown onboarding. */
async function checkOnboardings(
  tx: Tx,
  scope: AppScope,
  arms: readonly { onboardingId: string }[],
): Promise<void> {
  const ids = new Set((await selectOnboardings(tx, scope)).map(({ id }) => id));
  const index = arms.findIndex((arm) => !ids.has(arm.onboardingId));
  if (index >= 0) {
    throw invalidInput(`arms[${index}].onboardingId`, 'must be an onboarding of this app');
  }
}

/** Creates a draft. Throws `conflict` at the limit. */
export async function createExperiment(
  { deps, orgId, app }: AppContext<'clock' | 'sql'>,
  input: CreateExperimentInput,
): Promise<Experiment> {
  const scope = { orgId, appId: app.id };
  const id = newId('exp');
  const arms = input.arms.map((arm) => ({ id: newId('arm'), ...arm }));
  const measurement = measurementOf(input.measurement ?? {});
  checkNames(arms);
  checkShares(arms);
  return deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    await checkOnboardings(tx, scope, arms);
    if ((await selectExperiments(tx, scope)).length >= MAX_EXPERIMENTS_PER_APP) {
      throw new AppError('conflict', `An app has at most ${MAX_EXPERIMENTS_PER_APP} experiments.`, {
        hint: 'Delete one first.',
      });
    }
    const at = deps.clock();
    return insertExperiment(tx, scope, { id, name: input.name, arms, measurement, at });
  });
}

/** Freezes the default funnel at the start of the experiment. */
async function withFunnel(
  tx: Tx,
  scope: AppScope,
  before: Experiment,
  after: Experiment,
): Promise<Experiment> {
  if (before.status !== 'draft' || after.status !== 'running') return after;
  const found = await findDefaultFunnel(tx, scope);
  const funnel = found && { id: found.id, steps: found.steps };
  return { ...after, measurement: { ...after.measurement, funnel } };
}

/**
 * Reaches devices within 5 s. Throws `conflict` by state, and while another experiment of the app
 * runs.
 */
export async function changeExperiment(
  { deps, orgId, app }: AppContext<'clock' | 'sql'>,
  input: ChangeExperimentInput & { experimentId: string },
): Promise<Experiment> {
  const scope = { orgId, appId: app.id };
  const env = { now: toIso(deps.clock()), newArmId: () => newId('arm') };
  try {
    return await deps.sql.begin(async (tx) => {
      await lockOnboardings(tx, scope);
      const before = await selectExperiment(tx, scope, input.experimentId);
      if (!before) throw notFound();
      const after = await withFunnel(tx, scope, before, changed(before, input, env));
      // Experiments started by an earlier release keep their shares.
      if (before.status === 'draft') checkShares(after.arms);
      if (input.arms) checkNames(after.arms);
      if (input.arms) await checkOnboardings(tx, scope, after.arms);
      await updateExperiment(tx, orgId, after);
      return after;
    });
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) !== 'experiments_one_running') throw thrown;
    throw new AppError('conflict', 'Another experiment of this app is running.', {
      hint: 'Stop it first; one experiment runs per app at a time.',
    });
  }
}

/** Throws `conflict` while running. Exposures stay in the event log. */
export async function deleteExperiment(
  { deps, orgId, app }: AppContext<'sql'>,
  { experimentId }: { experimentId: string },
): Promise<void> {
  const scope = { orgId, appId: app.id };
  if (await deps.sql.begin((tx) => deleteExperimentRow(tx, scope, experimentId))) return;
  throw new AppError('conflict', 'A running experiment cannot be deleted.', {
    hint: 'Stop it first.',
  });
}
