import { availableParallelism } from 'node:os';
import type { Job } from './plan.ts';
import type { Tools } from './tools.ts';

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
  { full, interrupted, tools }: { full: boolean; interrupted: AbortSignal; tools: Tools },
): Promise<void> {
  const waiting = [...jobs];
  const lane = async (...preferences: ((job: Job) => boolean)[]) => {
    while (!interrupted.aborted && preferences.some((fits) => waiting.some(fits))) {
      let job: Job | undefined;
      for (const fits of preferences) {
        job ??= take(waiting, (each) => fits(each) && !tools.isAwaitedBy(each));
      }
      await (job ? run(job) : tools.installed);
    }
  };
  const beside = (job: Job) => !job.serial;
  const any = () => true;
  const ordinary = Array.from({ length: LANES }, () => lane(beside, ...(full ? [] : [any])));
  await Promise.all(full ? ordinary : [...ordinary, lane((job) => job.serial)]);
  await lane(any);
}
