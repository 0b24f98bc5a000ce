import type { Deps } from '../src/context.ts';
import { eventMaintenance } from '../src/event-store/keep.ts';
import { activity } from './activity.ts';

export function createEventActivities(deps: Deps) {
  const maintenance = eventMaintenance(deps);
  return {
    planEventJobs: activity(deps, (ctx, _input: Record<string, never>) => maintenance.plan(ctx)),
    runEventJob: activity(deps, maintenance.run),
    finishEventMaintenance: activity(deps, (ctx, _input: Record<string, never>) =>
      maintenance.finish(ctx),
    ),
  };
}

export type EventActivities = ReturnType<typeof createEventActivities>;
