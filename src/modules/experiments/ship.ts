import type { AppContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { toAuthor } from '../../shared/author.ts';
import { AppError, invalidInput, orNotFound } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { type Experiment, isOfFlags } from './model.ts';
import { clearDefault, lockOnboardings, onboardingRows } from './onboardings/queries.ts';
import { selectExperiment, updateExperiment } from './queries.ts';

async function makeDefault(tx: Tx, scope: AppScope, id: string, at: Date): Promise<void> {
  const onboarding = await onboardingRows.one(tx, scope, id);
  await clearDefault(tx, scope, at);
  const change = onboarding && { ...onboarding, isDefault: true };
  if (change && (await onboardingRows.update(tx, scope, change, at))) return;
  throw new AppError('conflict', 'The onboarding of this arm was deleted.', {
    hint: 'Create it again and make it the default.',
  });
}

/** Within 5 s everywhere. Idempotent. */
export async function shipArm(
  ctx: AppContext<'clock' | 'log' | 'sql'>,
  { experimentId, armId }: { experimentId: string; armId: string },
): Promise<Experiment> {
  const { deps, orgId, app, scope } = ctx;
  const by = toAuthor(ctx.actor);
  return deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    const experiment = orNotFound(await selectExperiment(tx, scope, experimentId));
    const arm = experiment.arms.find(({ id }) => id === armId);
    if (!arm) throw invalidInput('armId', 'must be an arm of this experiment');
    if (experiment.shipped?.armId === armId) return experiment;
    if (experiment.shipped || experiment.status === 'draft') throw notShippable(experiment);
    const now = deps.clock();
    if (arm.onboardingId !== undefined) await makeDefault(tx, scope, arm.onboardingId, now);
    const at = toIso(now);
    const after: Experiment = {
      ...experiment,
      status: 'stopped',
      stoppedAt: experiment.stoppedAt ?? at,
      shipped: { armId, at, by },
    };
    await updateExperiment(tx, orgId, after);
    deps.log.info({ appId: app.id, experimentId, armId, by }, 'arm of an experiment shipped');
    return after;
  });
}

function notShippable({ shipped, arms }: Experiment): AppError {
  const message = shipped
    ? 'Another arm of this experiment was shipped.'
    : 'The experiment has not started.';
  if (isOfFlags(arms)) {
    return new AppError('conflict', message, {
      hint: 'Change the rules of the flags with PATCH …/flags/{flagId}.',
    });
  }
  return new AppError('conflict', message, {
    hint: shipped
      ? 'Make its onboarding the default with PATCH …/onboardings/{onboardingId}.'
      : 'An onboarding becomes the default without one: PATCH …/onboardings/{onboardingId}.',
  });
}
