import { invalidInput } from '../../shared/errors.ts';
import type { Tx } from '../../storage/postgres.ts';
import { type AppScope, selectOnboardings } from '../onboardings/store.ts';

/** Throws `invalid_input` naming the first arm whose onboarding the app does not have. */
export async function checkArms(
  tx: Tx,
  scope: AppScope,
  arms: readonly { onboardingId: string }[],
): Promise<void> {
  const known = new Set((await selectOnboardings(tx, scope)).map((one) => one.id));
  const wrong = arms.findIndex((arm) => !known.has(arm.onboardingId));
  if (wrong >= 0) {
    throw invalidInput(`arms[${wrong}].onboardingId`, 'must be an onboarding of this app');
  }
}
