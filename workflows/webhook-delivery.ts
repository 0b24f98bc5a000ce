import {
  condition,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import * as contracts from '../src/temporal/contracts/webhooks.ts';
import { nextDelaySeconds } from './webhook-delivery.state.ts';

const { attemptWebhookDelivery, giveUpWebhookDelivery } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Earlier runs ignored a signal while ending. */
const WANTED_WHILE_ENDING = 'wanted-while-ending';

/** Results of attempts are in the delivery log, not in this history. */
export async function webhookDelivery(input: contracts.WebhookDeliveryInput): Promise<void> {
  let wantedNow = false;
  setHandler(contracts.deliverNowSignal, () => {
    wantedNow = true;
  });
  for (let attempt = 1; ; attempt += 1) {
    wantedNow = false;
    const summary = `attempt ${attempt} of ${contracts.MAX_ATTEMPTS}`;
    setCurrentDetails(`Posting: ${summary}`);
    const delaySeconds = nextDelaySeconds(attempt);
    const asked = { ...input, retryInSeconds: delaySeconds };
    const outcome = await attemptWebhookDelivery.executeWithOptions({ summary }, [asked]);
    if (outcome !== 'retry') {
      const isWantedAgain = wantedNow && patched(WANTED_WHILE_ENDING);
      if (!isWantedAgain) return setCurrentDetails(`Ended: ${outcome}`);
      attempt = 0;
      continue;
    }
    if (delaySeconds === null) break;
    setCurrentDetails(`Attempt ${attempt} failed; the next one in ${delaySeconds} s`);
    await condition(() => wantedNow, delaySeconds * 1_000, {
      summary: `before attempt ${attempt + 1}`,
    });
  }
  await giveUpWebhookDelivery.executeWithOptions({ summary: 'give up' }, [input]);
  setCurrentDetails('Given up');
}
