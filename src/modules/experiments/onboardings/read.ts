import type { AppContext } from '../../../context.ts';
import { notFound } from '../../../shared/errors.ts';
import type { Onboarding } from './model.ts';
import { selectOnboarding } from './queries.ts';

export async function readOnboarding(
  { deps, orgId, app }: AppContext,
  input: { onboardingId: string },
): Promise<Onboarding> {
  const found = await selectOnboarding(deps.sql, { orgId, appId: app.id }, input.onboardingId);
  if (!found) throw notFound();
  return found;
}
