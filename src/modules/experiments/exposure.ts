import { createHash } from 'node:crypto';
import type { DeviceContext } from '../../context.ts';
import { recordOrigin } from '../../event-store/append.ts';
import { at } from '../../shared/assert.ts';
import type { Environment } from '../../shared/environment.ts';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { assignArm } from './assignment.ts';
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

/** A second one of the same person and arm counts once. */
export async function recordExposure(
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

export type Exposure = {
  experimentId: string;
  armId: string;
  anonymousId: string;
  /** Arm by override: excludes the person from later reports. */
  overridden: boolean;
};

/** In development it must not hide one in production. */
export function exposureId(
  { experimentId, armId, anonymousId, overridden }: Exposure,
  environment: Environment,
): string {
  const person = [experimentId, armId, anonymousId, ...(overridden ? ['overridden'] : [])];
  const text = JSON.stringify(environment === 'production' ? person : [...person, environment]);
  return createHash('sha256').update(text).digest('base64url');
}

export function exposureBatch(
  id: string,
  { experimentId, armId, anonymousId, overridden }: Exposure,
): string {
  const props = { experiment: experimentId, arm: armId, ...(overridden && { overridden }) };
  return JSON.stringify({ events: [{ id, name: EXPOSURE_EVENT, anonymousId, props }] });
}
