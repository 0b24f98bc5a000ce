import type { DeviceContext } from '../../context.ts';
import { recordOrigin } from '../../event-store/append.ts';
import { at } from '../../shared/assert.ts';
import { assignArm } from './assignment.ts';
import { type Exposure, exposureBatch, exposureId } from './exposure.ts';
import type { Arm, Assignment, Experiment } from './model.ts';

async function recordExposure(
  ctx: DeviceContext<'assignments' | 'clock' | 'events'>,
  exposure: Exposure,
): Promise<void> {
  const { deps, environment } = ctx;
  const id = exposureId(exposure, environment);
  if (deps.assignments.isRecorded(id)) return;
  const receivedAt = deps.clock().getTime();
  const body = Buffer.from(exposureBatch(id, exposure));
  await deps.events.append({ ...recordOrigin(ctx), receivedAt, body });
  deps.assignments.markRecorded(id);
}

function assignedArm({ id, arms }: Experiment, anonymousId: string): Arm {
  const weights = arms.map((arm) => arm.weight);
  return at(arms, assignArm(id, weights, anonymousId));
}

/**
 * The override or assigned arm of the running experiment, else the default onboarding. The exposure
 * is in the event log before the answer, so that results never count unexposed people. Without
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
    onboarding: onboardingOf(arm.onboardingId),
    arm: {
      experimentId: experiment.id,
      experimentName: experiment.name,
      armId: arm.id,
      armName: arm.name,
    },
  };
}
