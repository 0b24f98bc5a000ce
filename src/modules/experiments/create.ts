import type { AppContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { checkArms, checkShares } from './check-arms.ts';
import { type CreateExperimentInput, type Experiment, MAX_EXPERIMENTS_PER_APP } from './model.ts';
import { lockOnboardings } from './onboardings/queries.ts';
import { insertExperiment, selectExperiments } from './queries.ts';
import { readExperiment } from './read.ts';

/** A draft; it deals nothing out until it is started. Throws `conflict` at the limit. */
export async function createExperiment(
  ctx: AppContext,
  input: CreateExperimentInput,
): Promise<Experiment> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const id = newId('exp');
  const arms = input.arms.map((arm) => ({ id: newId('arm'), ...arm }));
  checkShares(arms);
  await deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    await checkArms(tx, scope, arms);
    if ((await selectExperiments(tx, scope)).length >= MAX_EXPERIMENTS_PER_APP) {
      throw new AppError('conflict', 'The app has as many experiments as it may.', {
        hint: `At most ${MAX_EXPERIMENTS_PER_APP} experiments an app.`,
      });
    }
    await insertExperiment(tx, { id, ...scope, name: input.name, arms, at: deps.clock() });
  });
  return readExperiment(ctx, { experimentId: id });
}
