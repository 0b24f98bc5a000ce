import type { SystemContext } from '../../context.ts';
import { compactAll, openCompaction } from '../compaction/loop.ts';
import { finishErasures } from '../forget/queries.ts';
import { planJobs } from './plan-jobs.ts';
import { runJob } from './run-job.ts';

/** A job that fails again and again must not keep an operator waiting for ever. */
const MAX_ROUNDS = 50;

/** What compactor and maintenance workflow would do, at once and in this process. */
export async function compactNow({
  deps,
}: SystemContext): Promise<{ events: number; jobs: number }> {
  const compaction = await openCompaction(deps);
  const events = await compactAll(compaction);
  let done = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const jobs = await planJobs(compaction);
    if (jobs.length === 0) break;
    for (const job of jobs) await runJob(compaction, job);
    done += jobs.length;
  }
  await finishErasures(deps.sql);
  return { events, jobs: done };
}
