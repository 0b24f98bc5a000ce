import type { AppContext } from '../../../context.ts';
import { configJson } from './config-json.ts';
import type { ChangeOnboardingInput, Onboarding } from './model.ts';
import { clearDefault, lockOnboardings, updateOnboarding } from './queries.ts';
import { readOnboarding } from './read.ts';

/** Making one the default takes it from the other. */
export async function changeOnboarding(
  ctx: AppContext,
  input: ChangeOnboardingInput & { onboardingId: string },
): Promise<Onboarding> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const json = 'config' in input ? configJson(input.config) : null;
  await deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    const at = deps.clock();
    if (input.isDefault) await clearDefault(tx, scope, at);
    await updateOnboarding(tx, scope, input.onboardingId, {
      name: input.name ?? null,
      configJson: json,
      isDefault: input.isDefault ?? null,
      at,
    });
  });
  return readOnboarding(ctx, input);
}
