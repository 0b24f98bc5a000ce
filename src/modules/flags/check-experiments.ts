import type { AppScope } from '../../shared/app.ts';
import { invalidInput } from '../../shared/errors.ts';
import type { Tx } from '../../storage/postgres.ts';
import { lockOnboardings, selectExperiment } from '../experiments/index.ts';
import type { FlagDefinition } from './model.ts';

/** Throws `invalid_input` for an experiment of another app, and unless each arm has its variant. */
export async function checkExperiments(
  tx: Tx,
  scope: AppScope,
  { rules }: FlagDefinition,
): Promise<void> {
  for (const [index, { experiment: id, variations = {} }] of rules.entries()) {
    if (id === undefined) continue;
    // Arms stay as they are until the rule is there.
    await lockOnboardings(tx, scope);
    const experiment = await selectExperiment(tx, scope, id);
    if (!experiment) {
      throw invalidInput(`rules[${index}].experiment`, 'must be an experiment of this app');
    }
    const ids = new Set(experiment.arms.map((arm) => arm.id));
    const unknown = Object.keys(variations).find((armId) => !ids.has(armId));
    if (unknown !== undefined) {
      throw invalidInput(`rules[${index}].variations.${unknown}`, 'must be the id of an arm');
    }
    const missing = experiment.arms.find((arm) => !(arm.id in variations));
    if (missing) {
      throw invalidInput(`rules[${index}].variations`, `needs a variant for ${missing.id} too`);
    }
  }
}
