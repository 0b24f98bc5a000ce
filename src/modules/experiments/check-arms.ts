import { invalidInput } from '../../shared/errors.ts';
import type { Tx } from '../../storage/postgres.ts';
import { armEnds, BUCKETS } from './assignment.ts';
import { type AppScope, selectOnboardings } from './onboardings/queries.ts';

/** Throws `invalid_input` naming the first arm that so small a share would leave without anybody. */
export function checkShares(arms: readonly { weight: number }[]): void {
  const ends = armEnds(arms.map((arm) => arm.weight));
  const empty = ends.findIndex((end, index) => end <= (ends[index - 1] ?? 0));
  if (empty >= 0) {
    throw invalidInput(
      `arms[${empty}].weight`,
      `must be at least a ${BUCKETS}th of the sum of all weights: nobody would see this arm`,
    );
  }
}

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
