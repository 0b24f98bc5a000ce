import type { AppContext } from '../../context.ts';
import { refuseErased } from '../../event-store/people.ts';
import { AppError, invalidInput, notFound } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import { readExperiment } from './experiments.ts';
import { MAX_OVERRIDES, type Override, type OverrideInput } from './model.ts';
import { lockOnboardings } from './onboardings/queries.ts';
import { deleteOverride, selectOverrides, upsertOverride } from './overrides-queries.ts';

export function listOverrides(
  { deps, scope }: AppContext<'sql'>,
  { experimentId }: { experimentId: string },
): Promise<Override[]> {
  return selectOverrides(deps.sql, scope, experimentId);
}

/** Excludes its person from reports for good, 5 s later. Throws `conflict` at the limit. */
export async function setOverride(
  ctx: AppContext<'clock' | 'sql'>,
  { experimentId, anonymousId, armId }: OverrideInput & { experimentId: string },
): Promise<Override> {
  const { deps, scope } = ctx;
  const { arms } = await readExperiment(ctx, { experimentId });
  if (!arms.some(({ id }) => id === armId)) {
    throw invalidInput('armId', 'must be an arm of this experiment');
  }
  const override = { anonymousId, armId, createdAt: toIso(deps.clock()) };
  await deps.sql.begin(async (tx) => {
    await lockOnboardings(tx, scope);
    await refuseErased(tx, scope, [anonymousId], 'device');
    const others = (await selectOverrides(tx, scope, experimentId)).filter(
      (each) => each.anonymousId !== anonymousId,
    );
    if (others.length >= MAX_OVERRIDES) {
      throw new AppError('conflict', `At most ${MAX_OVERRIDES} devices are shown an arm by hand.`, {
        hint: 'Take one of them off first.',
      });
    }
    await upsertOverride(tx, scope, { ...override, experimentId });
  });
  return override;
}

export async function removeOverride(
  { deps, scope }: AppContext<'sql'>,
  input: { experimentId: string; anonymousId: string },
): Promise<void> {
  if (!(await deleteOverride(deps.sql, scope, input))) throw notFound();
}
