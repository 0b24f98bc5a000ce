import type { AppContext } from '../../../context.ts';
import type { Membership } from '../../../query/selection/segment-rules.ts';
import { DEFAULT_SCOPE } from '../../../shared/environment.ts';
import { resolveTimezone } from '../../app-settings/index.ts';
import { ARM, type Breakdown, listBreakdowns } from './breakdown.ts';
import type { Resolved } from './resolved.ts';
import type { Windowed } from './window.model.ts';

export async function resolve<Q extends Windowed & { breakdown?: Breakdown }>(
  ctx: AppContext<'clock' | 'latestExperiment' | 'sql'>,
  question: Q,
  memberships: readonly Membership[] = [],
): Promise<Resolved<Q>> {
  const { deps, scope } = ctx;
  const { breakdown, environment = DEFAULT_SCOPE } = question;
  const isByArm = listBreakdowns(breakdown).some(({ by }) => by === ARM);
  return {
    ...{ question, memberships, environment, now: deps.clock() },
    timezone: await resolveTimezone(ctx, question.timezone),
    experiment: isByArm ? await deps.latestExperiment(scope) : null,
  };
}
