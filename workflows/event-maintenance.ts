import {
  continueAsNew,
  log,
  patched,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { EventFileJob } from '../src/temporal/contracts/events.ts';
import { FILES_TASK_QUEUE } from '../src/temporal/contracts/workflow.ts';
import { LANES_AT_ONCE, toLanes } from './event-maintenance.state.ts';

const WHOLE = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
} as const;
/** The next run plans a failed job again. */
const JOB = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '5 seconds', maximumInterval: '1 minute', maximumAttempts: 3 },
} as const;
const { planEventJobs } = proxyActivities<Activities>(WHOLE);
/** Earlier runs do jobs sequentially on the common queue. */
const LANES_ON_THEIR_OWN_QUEUE = 'event-jobs-in-lanes-on-their-own-queue';

type FileActivities = ReturnType<typeof fileActivities>;

function fileActivities(taskQueue: { taskQueue?: string }) {
  const { finishEventMaintenance } = proxyActivities<Activities>({ ...WHOLE, ...taskQueue });
  const { runEventJob } = proxyActivities<Activities>({ ...JOB, ...taskQueue });
  return { finishEventMaintenance, runEventJob };
}

/** Continues as new while there is work. */
export async function eventMaintenance(input: Record<string, never>): Promise<void> {
  const hasLanes = patched(LANES_ON_THEIR_OWN_QUEUE);
  const activities = fileActivities(hasLanes ? { taskQueue: FILES_TASK_QUEUE } : {});
  const jobs = await planEventJobs.executeWithOptions({ summary: 'what is due' }, [input]);
  const lanes = hasLanes ? toLanes(jobs) : [jobs];
  const counts = { done: 0, failed: 0 };
  const waiting = lanes.values();
  const takeLanes = async () => {
    // Shared iterator: each worker takes the next lane.
    for (const lane of waiting) await runLane(activities, lane, counts, jobs.length);
  };
  await Promise.all(Array.from({ length: Math.min(lanes.length, LANES_AT_ONCE) }, takeLanes));
  await activities.finishEventMaintenance.executeWithOptions({ summary: 'sweep' }, [input]);
  if (jobs.length > counts.failed) await continueAsNew<typeof eventMaintenance>(input);
  setCurrentDetails(
    counts.failed === 0 ? 'Nothing is due' : `${counts.failed} jobs failed; planned again later`,
  );
}

async function runLane(
  { runEventJob }: FileActivities,
  lane: readonly EventFileJob[],
  counts: { done: number; failed: number },
  all: number,
): Promise<void> {
  for (const job of lane) {
    setCurrentDetails(`${counts.done} of ${all} jobs done; the last one begun: ${job.kind}`);
    const summary = `${job.kind} ${job.fileIds.length} files`;
    try {
      await runEventJob.executeWithOptions({ summary }, [job]);
    } catch (thrown) {
      counts.failed += 1;
      log.warn('a job failed; the next run plans it again', { kind: job.kind, error: thrown });
    }
    counts.done += 1;
  }
}
