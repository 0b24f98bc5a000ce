import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { configJson } from './config-json.ts';
import { type CreateOnboardingInput, MAX_ONBOARDINGS_PER_APP, type Onboarding } from './model.ts';
import { clearDefault, insertOnboarding, lockOnboardings, selectOnboardings } from './queries.ts';
import { readOnboarding } from './read.ts';

/** The first one of an app is its default. Throws `conflict` at the limit. */
export async function createOnboarding(
  ctx: AppContext,
  input: CreateOnboardingInput,
): Promise<Onboarding> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const id = newId('onb');
  const json = configJson(input.config);
  await deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    const existing = await selectOnboardings(tx, scope);
    if (existing.length >= MAX_ONBOARDINGS_PER_APP) {
      throw new AppError('conflict', 'The app has as many onboardings as it may.', {
        hint: `At most ${MAX_ONBOARDINGS_PER_APP} onboardings an app.`,
      });
    }
    const at = deps.clock();
    const isDefault = existing.length === 0 || input.isDefault === true;
    if (isDefault) await clearDefault(tx, scope, at);
    await insertOnboarding(tx, { id, ...scope, name: input.name, configJson: json, isDefault, at });
  });
  return readOnboarding(ctx, { onboardingId: id });
}
