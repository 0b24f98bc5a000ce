import { isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MessagePost } from '../src/temporal/contracts/messages.ts';

/** Half a day: the next morning digest repeats it. */
const { sendMessage } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '5 seconds', maximumInterval: '15 minutes' },
});
const { giveUpMessage } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

export async function messagePost(post: MessagePost): Promise<void> {
  try {
    await sendMessage.executeWithOptions({ summary: `send to ${post.destinationId}` }, [post]);
    setCurrentDetails('Sent');
  } catch (thrown) {
    if (isCancellation(thrown)) throw thrown;
    await giveUpMessage.executeWithOptions({ summary: 'give up' }, [post]);
    setCurrentDetails('Given up');
  }
}
