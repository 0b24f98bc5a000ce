import type { DeviceContext } from '../../context.ts';
import { at } from '../../shared/assert.ts';
import { assignArm } from './assignment.ts';
import { recordExposure } from './exposure.ts';
import type { Arm, Assignment, Experiment } from './model.ts';

function assignedArm({ id, arms }: Experiment, anonymousId: string): Arm {
  const weights = arms.map((arm) => arm.weight);
  return at(arms, assignArm(id, weights, anonymousId));
}

/**
 * The exposure is in the log before the answer, so results count no unexposed people. Without
 * `records` (HEAD) nothing is written.
 */
export async function assign(
  ctx: DeviceContext<'assignments' | 'clock' | 'events'>,
  { anonymousId, records }: { anonymousId: string; records: boolean },
): Promise<Assignment> {
  const { experiment, onboardings, defaultId, overrides } = await ctx.deps.assignments.rules(ctx);
  const onboardingOf = (id: string | null) => onboardings.find((each) => each.id === id) ?? null;
  if (!experiment) return { onboarding: onboardingOf(defaultId), arm: null };
  const byHand = experiment.arms.find(({ id }) => id === overrides.get(anonymousId));
  const arm = byHand ?? assignedArm(experiment, anonymousId);
  if (records) {
    const overridden = byHand !== undefined;
    const exposure = { experimentId: experiment.id, armId: arm.id, anonymousId, overridden };
    await recordExposure(ctx, exposure);
  }
  return {
    onboarding: onboardingOf(arm.onboardingId ?? null),
    arm: {
      experimentId: experiment.id,
      experimentName: experiment.name,
      armId: arm.id,
      armName: arm.name,
    },
  };
}
