import type { AppContext } from '../../context.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { toIso } from '../../shared/time.ts';
import { brokenUniqueConstraint } from '../../storage/postgres.ts';
import { checkArms, checkShares } from './check-arms.ts';
import type { ChangeExperimentInput, Experiment } from './model.ts';
import { lockOnboardings } from './onboardings/queries.ts';
import { selectExperiment, updateExperiment } from './queries.ts';
import { readExperiment } from './read.ts';
import { changed } from './transitions.ts';

/**
 * Renames, starts, stops, or changes the arms of a draft. Devices feel a start or stop within 5 s.
 * Throws `conflict` when the state does not allow it or another experiment of the app runs.
 */
export async function changeExperiment(
  ctx: AppContext,
  input: ChangeExperimentInput & { experimentId: string },
): Promise<Experiment> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const env = { now: toIso(deps.clock()), newArmId: () => newId('arm') };
  try {
    await deps.sql.begin(async (tx) => {
      await lockOnboardings(tx, scope);
      const before = await selectExperiment(tx, scope, input.experimentId);
      if (!before) throw notFound();
      const after = changed(before, input, env);
      // What was started with an earlier release goes on as it is.
      if (before.status === 'draft') checkShares(after.arms);
      if (input.arms) await checkArms(tx, scope, after.arms);
      await updateExperiment(tx, orgId, after);
    });
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) !== 'experiments_one_running') throw thrown;
    throw new AppError('conflict', 'Another experiment of this app is running.', {
      hint: 'Stop it first; one experiment runs per app at a time.',
    });
  }
  return readExperiment(ctx, input);
}
