import type { AppContext } from '../../context.ts';
import { checkLimit } from '../../shared/app-limits.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError, invalidInput, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { toIso } from '../../shared/time.ts';
import { brokenUniqueConstraint, type Tx } from '../../storage/postgres.ts';
import { findDefaultFunnel } from '../funnels/index.ts';
import { armEnds, BUCKETS } from './assignment.ts';
import * as queries from './queries.ts';
import { checkAlone, checkLayer } from './layers.ts';
import * as model from './model.ts';
import { lockOnboardings, selectOnboardings } from './onboardings/queries.ts';
import { changed, toMeasurement } from './transitions.ts';

export function listExperiments(ctx: AppContext<'sql'>): Promise<model.Experiment[]> {
  return queries.selectExperiments(ctx.deps.sql, ctx.scope);
}

export async function readExperiment(
  { deps, scope }: AppContext<'sql'>,
  { experimentId }: { experimentId: string },
): Promise<model.Experiment> {
  return orNotFound(await queries.selectExperiment(deps.sql, scope, experimentId));
}

function checkNames(arms: readonly { name: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of arms.entries()) {
    if (seen.has(name)) throw invalidInput(`arms[${index}].name`, 'must be unlike any other arm');
    seen.add(name);
  }
}

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

async function checkOnboardings(
  tx: Tx,
  scope: AppScope,
  arms: readonly { onboardingId?: string }[],
): Promise<void> {
  if (model.isOfFlags(arms)) return;
  const without = arms.findIndex(({ onboardingId }) => onboardingId === undefined);
  if (without >= 0) {
    throw invalidInput(`arms[${without}].onboardingId`, 'every arm has an onboarding, or none has');
  }
  const ids = new Set((await selectOnboardings(tx, scope)).map(({ id }) => id));
  const index = arms.findIndex(({ onboardingId = '' }) => !ids.has(onboardingId));
  if (index >= 0) {
    throw invalidInput(`arms[${index}].onboardingId`, 'must be an onboarding of this app');
  }
}

async function checkValues(tx: Tx, scope: AppScope, { id, arms }: model.Experiment): Promise<void> {
  const ids = new Set(arms.map((arm) => arm.id));
  for (const { key, armIds } of await queries.selectFlagRules(tx, scope, id)) {
    if (armIds.length === ids.size && armIds.every((armId) => ids.has(armId))) continue;
    throw new AppError('conflict', `The flag “${key}” gives other arms their values.`, {
      hint: 'arms: keep those that are there, with their ids, or change the rule of the flag first',
    });
  }
}

export async function createExperiment(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  input: model.CreateExperimentInput,
): Promise<model.Experiment> {
  const id = newId('exp');
  const arms = input.arms.map((arm) => ({ id: newId('arm'), ...arm }));
  const measurement = toMeasurement(input.measurement ?? {});
  const { layer = null } = input;
  checkNames(arms);
  checkShares(arms);
  checkLayer({ layer, arms });
  return deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    await checkOnboardings(tx, scope, arms);
    checkLimit(
      (await queries.selectExperiments(tx, scope)).length,
      model.MAX_EXPERIMENTS_PER_APP,
      'experiments',
    );
    const at = deps.clock();
    return queries.insertExperiment(tx, scope, {
      id,
      name: input.name,
      arms,
      layer,
      measurement,
      at,
    });
  });
}

/** Freezes the default funnel at the start of the experiment. */
async function withFunnel(
  tx: Tx,
  scope: AppScope,
  before: model.Experiment,
  after: model.Experiment,
): Promise<model.Experiment> {
  if (before.status !== 'draft' || after.status !== 'running') return after;
  const found = await findDefaultFunnel(tx, scope);
  const funnel = found && { id: found.id, steps: found.steps };
  return { ...after, measurement: { ...after.measurement, funnel } };
}

async function checkChange(
  tx: Tx,
  scope: AppScope,
  { before, after }: { before: model.Experiment; after: model.Experiment },
): Promise<void> {
  // Experiments started by an earlier release keep their shares.
  if (before.status === 'draft') checkShares(after.arms);
  checkLayer(after);
  if (model.isOfFlags(before.arms) !== model.isOfFlags(after.arms)) {
    throw invalidInput('arms', 'must have onboardings as before, or none as before');
  }
  if (after.arms !== before.arms) {
    checkNames(after.arms);
    await checkOnboardings(tx, scope, after.arms);
    await checkValues(tx, scope, after);
  }
  if (before.status === 'draft' && after.status === 'running') {
    checkAlone(after, await queries.selectExperiments(tx, scope));
  }
}

/**
 * Reaches devices within 5 s. Throws `conflict` while another experiment has the same people: of
 * onboardings one of the app runs, of flags any number outside the same layer.
 */
export async function changeExperiment(
  { deps, orgId, scope }: AppContext<'clock' | 'sql'>,
  input: model.ChangeExperimentInput & { experimentId: string },
): Promise<model.Experiment> {
  const env = { now: toIso(deps.clock()), newArmId: () => newId('arm') };
  try {
    return await deps.sql.begin(async (tx) => {
      await lockOnboardings(tx, scope);
      const before = orNotFound(await queries.selectExperiment(tx, scope, input.experimentId));
      const after = await withFunnel(tx, scope, before, changed(before, input, env));
      await checkChange(tx, scope, { before, after });
      await queries.updateExperiment(tx, orgId, after);
      return after;
    });
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) !== 'experiments_one_running') throw thrown;
    throw new AppError('conflict', 'Another experiment of this app is running.', {
      hint: 'Stop it first; one experiment of onboardings runs per app at a time.',
    });
  }
}

/** Exposures stay in the event log. */
export async function deleteExperiment(
  { deps, scope }: AppContext<'sql'>,
  { experimentId }: { experimentId: string },
): Promise<void> {
  const isDeleted = await deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    const [rule] = await queries.selectFlagRules(tx, scope, experimentId);
    if (rule) {
      throw new AppError('conflict', `The flag “${rule.key}” has a rule by this experiment.`, {
        hint: 'Take the rule away first.',
      });
    }
    return queries.deleteExperimentRow(tx, scope, experimentId);
  });
  if (isDeleted) return;
  throw new AppError('conflict', 'A running experiment cannot be deleted.', {
    hint: 'Stop it first.',
  });
}
