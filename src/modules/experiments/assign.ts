import type { DeviceContext } from '../../context.ts';
import { recordOrigin } from '../../event-store/append.ts';
import { assignArm } from './assignment.ts';
import { exposureId } from './dealer.ts';
import { exposureBatch } from './exposure.ts';
import type { Arm, Assignment, Experiment } from './model.ts';
import type { Dealing } from './queries.ts';

async function expose(
  ctx: DeviceContext,
  input: { experimentId: string; armId: string; anonymousId: string },
): Promise<void> {
  const { deps, environment } = ctx;
  const id = exposureId({ ...input, environment });
  if (deps.dealer.isKnownExposure(id)) return;
  const receivedAt = deps.clock().getTime();
  const body = Buffer.from(exposureBatch({ id, ...input }));
  await deps.events.append({ ...recordOrigin(ctx), receivedAt, body });
  deps.dealer.rememberExposure(id);
}

function onboardingOf(dealing: Dealing, id: string | null): Assignment['onboarding'] {
  return dealing.onboardings.find((one) => one.id === id) ?? null;
}

function armOf(experiment: Experiment, anonymousId: string): Arm | null {
  const weights = experiment.arms.map((arm) => arm.weight);
  return experiment.arms[assignArm(experiment.id, weights, anonymousId)] ?? null;
}

/**
 * What this person is shown: the arm of the running experiment, else the app's default onboarding.
 * Being asked is the exposure; it is in the event log before the answer, so a result never counts
 * people whom nobody saw. Without `records` nothing is left behind (a HEAD shows nobody anything).
 */
export async function assign(
  ctx: DeviceContext,
  { anonymousId, records }: { anonymousId: string; records: boolean },
): Promise<Assignment> {
  const dealing = await ctx.deps.dealer.dealing(ctx);
  const { experiment } = dealing;
  const arm = experiment && armOf(experiment, anonymousId);
  if (!arm) return { onboarding: onboardingOf(dealing, dealing.defaultId), arm: null };
  if (records) await expose(ctx, { experimentId: experiment.id, armId: arm.id, anonymousId });
  return {
    onboarding: onboardingOf(dealing, arm.onboardingId),
    arm: {
      experimentId: experiment.id,
      experimentName: experiment.name,
      armId: arm.id,
      armName: arm.name,
    },
  };
}
