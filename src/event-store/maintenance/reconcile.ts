import type { Deps } from '../../context.ts';
import { eventMaintenanceContract } from '../../temporal/contracts/events.ts';
import { finishErasures } from '../forget/queries.ts';
import { planJobs } from './plan-jobs.ts';

/** Starts the maintenance of event files when there is something to do; the rows say what. */
export async function reconcileEvents(deps: Deps): Promise<void> {
  await finishErasures(deps.sql);
  const jobs = await planJobs(deps);
  if (jobs.length === 0) return;
  await deps.temporal.ensure(eventMaintenanceContract, {});
}
