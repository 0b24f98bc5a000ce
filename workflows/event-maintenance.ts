import { continueAsNew, log, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const { planEventJobs, finishEventMaintenance } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});
/** A job that fails stays due: the next run plans it again. */
const { runEventJob } = proxyActivities<Activities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '5 seconds', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/** Plans, does the jobs one after the other, and goes on as a new run while there was something. */
export async function eventMaintenance(input: Record<string, never>): Promise<void> {
  const jobs = await planEventJobs.executeWithOptions({ summary: 'what is due' }, [input]);
  let failed = 0;
  for (const [index, job] of jobs.entries()) {
    setCurrentDetails(`Job ${index + 1} of ${jobs.length}: ${job.kind}`);
    const summary = `${job.kind} ${job.fileIds.length} files`;
    try {
      await runEventJob.executeWithOptions({ summary }, [job]);
    } catch (thrown) {
      failed += 1;
      log.warn('a job failed; the next run plans it again', { kind: job.kind, error: thrown });
    }
  }
  await finishEventMaintenance.executeWithOptions({ summary: 'sweep' }, [input]);
  if (jobs.length > failed) await continueAsNew<typeof eventMaintenance>(input);
  setCurrentDetails(failed === 0 ? 'Nothing is due' : `${failed} jobs failed; planned again later`);
}
