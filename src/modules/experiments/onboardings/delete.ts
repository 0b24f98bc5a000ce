import type { AppContext } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { experimentUsing } from '../queries.ts';
import { deleteOnboardingRow, lockOnboardings } from './queries.ts';

/** Throws `conflict` while an experiment that is not stopped deals it out. */
export async function deleteOnboarding(
  { deps, orgId, app }: AppContext,
  input: { onboardingId: string },
): Promise<void> {
  const scope = { orgId, appId: app.id };
  await deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    const used = await experimentUsing(tx, scope, input.onboardingId);
    if (used !== null) {
      throw new AppError('conflict', 'An experiment uses this onboarding.', {
        hint: `Stop or change the experiment "${used}" first.`,
      });
    }
    if (!(await deleteOnboardingRow(tx, scope, input.onboardingId))) throw notFound();
  });
}
