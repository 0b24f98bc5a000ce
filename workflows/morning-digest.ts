import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MorningDigestInput } from '../src/temporal/contracts/digests.ts';

/** Half a day: a digest is useless in the evening. */
const { writeDigest } = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes' },
});
const { sendDigest } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '5 seconds', maximumInterval: '15 minutes' },
});

/** The day of the start, whatever the attempt. */
export async function morningDigest({ orgId }: MorningDigestInput): Promise<void> {
  const startedMs = workflowInfo().startTime.getTime();
  const posts = await writeDigest.executeWithOptions({ summary: 'write the digest' }, [
    { orgId, startedMs },
  ]);
  setCurrentDetails(`Sending to ${posts.length} destinations`);
  await Promise.all(
    posts.map((post) =>
      sendDigest
        .executeWithOptions({ summary: `send to ${post.destinationId}` }, [post])
        .catch(() => undefined),
    ),
  );
  setCurrentDetails('Sent');
}
