import { availableParallelism } from 'node:os';
import type { Job } from './plan.ts';

/** Takes the first that fits out of a list. */
function take(waiting: Job[], fits: (job: Job) => boolean): Job | undefined {
  const at = waiting.findIndex(fits);
  return at === -1 ? undefined : waiting.splice(at, 1)[0];
}

/** Tests wait for workflows, restarts and answers about a third of their time. */
const LANES = Math.ceil(availableParallelism() * 1.5);

/**
 * Runs the jobs, longest first, and beside them one lane of those that start whole services, which
 * wait more than they work. What they do with full counts is measured, so then they come alone,
 * after the rest.
 */
export async function runInLanes(
  jobs: readonly Job[],
  run: (job: Job) => Promise<void>,
  { full, interrupted }: { full: boolean; interrupted: AbortSignal },
): Promise<void> {
  const waiting = [...jobs];
  const lane = async (fits: (job: Job) => boolean) => {
    for (let job = take(waiting, fits); job; job = take(waiting, fits)) {
      if (interrupted.aborted) return;
      await run(job);
    }
  };
  const beside = (job: Job) => !job.serial;
  const ordinary = Array.from({ length: LANES }, async () => {
    await lane(beside);
    if (!full) await lane(() => true);
  });
  await Promise.all(full ? ordinary : [...ordinary, lane((job) => job.serial)]);
  await lane(() => true);
}
